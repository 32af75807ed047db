//! Finds a Python with PyTorch. It looks, and installs nothing.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::time::Duration;

use crate::process::{self, Cancel, How, Job};

/// The oldest PyTorch that the labs work with.
pub const OLDEST: (u32, u32) = (2, 6);
/// The environment variable that names the Python.
pub const PYTHON: &str = "INFRALENS_PYTHON";
/// The environment variable that names a torchrun, or what starts one.
pub const TORCHRUN: &str = "INFRALENS_TORCHRUN";

/// What a Python is asked. Reading the version from what is installed takes no import of PyTorch.
const PROBE: &str = "import importlib.metadata as m\n\
    try: print('torch', m.version('torch'))\n\
    except m.PackageNotFoundError: print('none')";

/// How a lab is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Starter {
    /// A Python, with the version of its PyTorch.
    Python(OsString, String),
    /// A torchrun; its PyTorch is not known before it runs.
    Torchrun(OsString),
}

impl fmt::Display for Starter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Starter::Python(python, version) => write!(f, "{}, PyTorch {version}", python.to_string_lossy()),
            Starter::Torchrun(torchrun) => write!(f, "{}", torchrun.to_string_lossy()),
        }
    }
}

/// Why there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// It does not start.
    NoStart(String, String),
    /// It has no PyTorch.
    NoTorch(String),
    /// Its PyTorch is too old.
    Old(String, String),
    /// It did not answer.
    Silent(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (major, minor) = OLDEST;
        match self {
            Fault::NoStart(python, why) => write!(
                f,
                "`{python}` does not start ({why}); name a Python with PyTorch {major}.{minor} or newer in {PYTHON}"
            ),
            Fault::NoTorch(python) => write!(
                f,
                "`{python}` has no PyTorch; install torch {major}.{minor} or newer for it, or name another Python in {PYTHON}"
            ),
            Fault::Old(python, version) => write!(
                f,
                "`{python}` has PyTorch {version}; the labs need {major}.{minor} or newer. Name another Python in {PYTHON}"
            ),
            Fault::Silent(python) => {
                write!(f, "`{python}` does not behave like Python; name a Python with PyTorch in {PYTHON}")
            }
        }
    }
}

/// Finds what starts the labs: the torchrun that is named, else the Python that is named, else the first
/// of the usual names that has PyTorch.
///
/// # Errors
/// Why the named one, or the first of the usual names, will not do.
pub fn find(torchrun: Option<OsString>, named: Option<OsString>) -> Result<Starter, Fault> {
    if let Some(torchrun) = torchrun {
        return Ok(Starter::Torchrun(torchrun));
    }
    if let Some(named) = named {
        return if is_torchrun(&named) { Ok(Starter::Torchrun(named)) } else { probe(named) };
    }
    let first = probe("python3".into());
    match first {
        Ok(starter) => Ok(starter),
        Err(fault) => probe("python".into()).map_err(|_| fault),
    }
}

/// Whether a name is that of a torchrun, not of a Python.
fn is_torchrun(name: &OsString) -> bool {
    let file = std::path::Path::new(name).file_stem();
    file.is_some_and(|file| file.to_string_lossy().starts_with("torchrun"))
}

/// What is named to start the labs: a torchrun by the environment, a Python by the environment or by the setting.
pub fn named(setting: Option<String>) -> (Option<OsString>, Option<OsString>) {
    (std::env::var_os(TORCHRUN), std::env::var_os(PYTHON).or(setting.map(OsString::from)))
}

/// Asks a Python for the version of its PyTorch.
///
/// # Errors
/// Where it does not start, has none, or an old one.
pub fn probe(python: OsString) -> Result<Starter, Fault> {
    let name = python.to_string_lossy().into_owned();
    let job = Job {
        program: python.clone(),
        args: vec!["-c".into(), PROBE.into()],
        folder: None,
        is_bare: false,
        env: BTreeMap::new(),
        input: Vec::new(),
        limit: Duration::from_secs(20),
        most_output: 4096,
    };
    let ended = process::run(&job, &Cancel::default())
        .map_err(|why| Fault::NoStart(name.clone(), why.to_string()))?;
    if ended.how != How::Exit(Some(0)) {
        return Err(Fault::Silent(name));
    }
    let mut words = ended.out.split_whitespace();
    match (words.next(), words.next()) {
        (Some("none"), None) => Err(Fault::NoTorch(name)),
        (Some("torch"), Some(version)) if is_new(version) => Ok(Starter::Python(python, version.to_owned())),
        (Some("torch"), Some(version)) => Err(Fault::Old(name, version.to_owned())),
        _ => Err(Fault::Silent(name)),
    }
}

fn is_new(version: &str) -> bool {
    let mut numbers = version.split('.').map(|n| n.parse::<u32>().unwrap_or(0));
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) >= OLDEST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        for (version, new) in
            [("2.6.0", true), ("2.15.0+cu132", true), ("3.0", true), ("2.5.1", false), ("1.13.1", false)]
        {
            assert_eq!(is_new(version), new, "{version}");
        }
    }
}
