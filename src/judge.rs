//! A judge of one's own: a command that was set up by hand. It is started without a shell, reads one JSON
//! object and prints one; see [`crate::study::judge`] for what is said and what is believed.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::process::{self, Cancel, How, Job};
use crate::score::Score;
use crate::services::Record;
use crate::services::job::Done;
use crate::store::{Store, StoreError};
use crate::study::judge::{Opinion, Question, Reply, read, weigh};

/// The name of the setting that holds the judge.
const SETTING: &str = "judge";

/// How long a judge may take for one answer, in seconds, unless said otherwise.
pub const LIMIT: u32 = 60;

/// How much of a reply is read, in bytes.
const MOST_OUTPUT: usize = 1 << 20;

/// A judge as it was set up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judge {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// How many seconds it may take for one answer.
    pub seconds: u32,
    /// Where it says that the words go; none where it does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sends_to: Option<String>,
}

/// An answer put before a judge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// The id of the attempt.
    pub attempt: String,
    /// Who is asked.
    pub judge: Judge,
    /// What is asked.
    pub question: Question,
    /// Ends it early.
    pub cancel: Cancel,
}

impl Case {
    /// Asks, and waits for the reply, its time limit or its end.
    pub fn heard(self) -> Done {
        let reply = self.judge.ask(&self.question, &self.cancel);
        Done::Judged { attempt: self.attempt, reply }
    }
}

impl Judge {
    /// A judge that is this command.
    pub fn new(command: Vec<String>) -> Self {
        Judge { command, seconds: LIMIT, sends_to: None }
    }

    /// The command in one line, for people.
    pub fn line(&self) -> String {
        self.command.join(" ")
    }

    /// Asks the judge, and reads its reply.
    ///
    /// # Errors
    /// With the fault and the cure: it does not start, takes too long, fails, or does not reply as it must.
    pub fn ask(&self, question: &Question, cancel: &Cancel) -> Result<Reply, String> {
        let Some((program, args)) = self.command.split_first() else {
            return Err("the judge has no command; set one with `infralens judge set COMMAND`".into());
        };
        let mut input = serde_json::to_vec(question).map_err(|e| e.to_string())?;
        input.push(b'\n');
        let job = Job {
            program: program.into(),
            args: args.iter().map(Into::into).collect(),
            folder: None,
            is_bare: false,
            env: BTreeMap::new(),
            input,
            limit: Duration::from_secs(self.seconds.into()),
            most_output: MOST_OUTPUT,
        };
        let ended = process::run(&job, cancel)
            .map_err(|e| format!("the judge `{program}` does not start ({e}); check the command"))?;
        match ended.how {
            How::Exit(Some(0)) => read(&ended.out, question),
            How::Exit(_) => Err(format!("the judge failed: {}", last_line(&ended.err))),
            How::TimedOut => Err(format!(
                "the judge took longer than {} and was stopped; give it more time with `judge set --seconds \
                 N`",
                crate::study::words::some(self.seconds as usize, "second")
            )),
            How::Cancelled => Err("cancelled".into()),
        }
    }

    /// The judge's marks for an answer, as far as they are believed.
    ///
    /// # Errors
    /// As [`Judge::ask`].
    pub fn marks(
        &self,
        question: &Question,
        answer: &str,
        by_rules: &Score,
        cancel: &Cancel,
    ) -> Result<Opinion, String> {
        Ok(weigh(&self.ask(question, cancel)?, question, answer, by_rules))
    }
}

/// The judge that is set up; none where there is none.
///
/// # Errors
/// Where the store cannot be read.
pub fn set_up(store: &Store) -> Result<Option<Judge>, StoreError> {
    let text = store.setting(SETTING)?;
    Ok(text.and_then(|t| serde_json::from_str(&t).ok()).filter(|j: &Judge| !j.command.is_empty()))
}

/// What keeps a judge; none turns it off.
pub(crate) fn record(judge: Option<&Judge>) -> Record {
    let text = judge.and_then(|j| serde_json::to_string(j).ok()).unwrap_or_default();
    Record::setting(SETTING, text)
}

/// The last line of what a program complained of.
fn last_line(text: &str) -> &str {
    text.lines().rev().map(str::trim).find(|l| !l.is_empty()).unwrap_or("it gave no reason")
}
