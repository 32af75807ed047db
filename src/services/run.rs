//! Runs a starter with python3: a copy of it, in an empty folder, with a time limit.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;

use crate::pack::{Lab, Pack};
use crate::page::job::{Done, Ran};

/// How long a starter may run.
pub const LIMIT: Duration = Duration::from_secs(10);

/// How much of its output is kept, in bytes.
const MOST_OUTPUT: u64 = 256 * 1024;

/// A starter, apart from its pack.
#[derive(Debug, Clone)]
pub struct Starter {
    /// The lab's id.
    pub lab: String,
    /// The file's own name.
    pub file: String,
    /// Its text.
    pub text: String,
    /// Whether python3 runs it.
    pub python: bool,
    /// The stored output.
    pub expected: Option<String>,
}

/// The starters of a pack.
pub fn starters(pack: &Pack) -> Vec<Starter> {
    pack.lessons.iter().flat_map(|l| &l.labs).map(starter).collect()
}

fn starter(lab: &Lab) -> Starter {
    let path = Path::new(&lab.starter.path);
    let file = path.file_name().and_then(|n| n.to_str()).unwrap_or("starter.txt");
    Starter {
        lab: lab.id.clone(),
        file: file.to_owned(),
        text: lab.starter.text.clone(),
        python: lab.starter.language == "python",
        expected: lab.starter.expected.clone(),
    }
}

/// What trust in a pack rests on: all the code that it would run (FNV-1a, 64 bits).
pub fn fingerprint(pack: &Pack) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for s in starters(pack) {
        for byte in s.file.bytes().chain([0]).chain(s.text.bytes()).chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}

impl Starter {
    /// The stored output instead of a run, with the reason.
    pub fn stored(self, pack: usize, note: &str) -> Ran {
        Ran { pack, lab: self.lab, output: self.expected.unwrap_or_default(), note: Some(note.into()) }
    }
}

/// Starts a run in a thread, and says how it ended.
pub fn start<E: From<Done> + Send + 'static>(pack: usize, starter: Starter, to: Sender<E>) {
    thread::spawn(move || {
        let ran = run(pack, starter);
        // Nobody is left to hear it once the program has ended.
        let _ = to.send(Done::Ran(ran).into());
    });
}

/// Runs a starter and waits for it, at most [`LIMIT`].
pub fn run(pack: usize, starter: Starter) -> Ran {
    if !starter.python {
        return starter.stored(pack, "only Python starters run here; this is the stored output");
    }
    match execute(&starter) {
        Ok((output, note)) => Ran { pack, lab: starter.lab, output, note },
        Err(note) => starter.stored(pack, &note),
    }
}

fn execute(starter: &Starter) -> Result<(String, Option<String>), String> {
    let no_folder = |e: std::io::Error| format!("no folder to run in: {e}; this is the stored output");
    let folder = tempfile::Builder::new().prefix("infralens-").tempdir().map_err(no_folder)?;
    let path = folder.path().join(&starter.file);
    std::fs::write(&path, &starter.text).map_err(no_folder)?;
    let mut child = Command::new("python3")
        .args(["-I", "-B"])
        .arg(&path)
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| format!("python3 did not start ({e}); this is the stored output"))?;
    let (done, finished) = channel();
    for pipe in [child.stdout.take().map(boxed), child.stderr.take().map(boxed)].into_iter().enumerate() {
        let done = done.clone();
        thread::spawn(move || {
            let mut bytes = Vec::new();
            if let (_, Some(source)) = &pipe {
                let _ = source.lock().map(|mut s| s.as_mut().take(MOST_OUTPUT).read_to_end(&mut bytes));
            }
            let _ = done.send((pipe.0, String::from_utf8_lossy(&bytes).into_owned()));
        });
    }
    let mut texts = [String::new(), String::new()];
    for _ in 0..2 {
        match finished.recv_timeout(LIMIT) {
            Ok((which, text)) => texts[which] = text,
            Err(_) => {
                let _ = child.kill();
                let _ = child.wait();
                let note = format!("stopped after {} seconds", LIMIT.as_secs());
                return Ok((texts.concat(), Some(note)));
            }
        }
    }
    let status = child.wait().map_err(|e| format!("python3 was lost: {e}; this is the stored output"))?;
    let note = (!status.success()).then(|| format!("python3 ended with {status}"));
    Ok((texts.concat(), note))
}

type Source = std::sync::Mutex<Box<dyn Read + Send>>;

fn boxed(pipe: impl Read + Send + 'static) -> Source {
    std::sync::Mutex::new(Box::new(pipe))
}
