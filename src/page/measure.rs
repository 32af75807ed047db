//! A lab on real processes: what can be measured here and with what, what a learner predicts, the run, and
//! predicted, simulated and measured beside each other.

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::action::Action;
use super::keys::Scope;
use super::place::Place;
use super::view::View;
use super::{Act, At, Effect, Next, Page};
use crate::doc::Document;
use crate::measure::compare::{self, Line};
use crate::measure::figures::{self, Run};
use crate::measure::launch::Setup;
use crate::measure::python::Starter;
use crate::measure::{self, Program};
use crate::pack::Guess;
use crate::process::{Cancel, Said};
use crate::services::job::{Done, Job, Order};
use crate::services::{Record, Services};
use crate::sim::quantity;
use choice::Choice;

mod choice;
mod show;
mod value;

/// How long a run may take.
pub(crate) const LIMIT: Duration = Duration::from_secs(120);
/// How many ranks are offered.
const RANKS: [u32; 2] = [2, 4];
/// How often the progress is looked at.
const LOOK: SignedDuration = SignedDuration::from_secs(1);

/// A lab on real processes.
pub(crate) struct Measure {
    pack: usize,
    lesson: String,
    program: Program,
    guesses: Vec<Guess>,
    /// How many notes each of its files has, with the file's name.
    files: Vec<(String, usize)>,
    found: Found,
    how: How,
    stage: Stage,
    /// What is predicted, by figure, in base units.
    predicted: BTreeMap<String, f64>,
    /// How many questions were answered or left out.
    asked: usize,
    /// Whether the simulators are fitted to the machine.
    fit: bool,
    /// Whether nobody sees it, so that progress is said.
    by_ear: bool,
    /// The progress that was said last.
    heard: String,
}

/// How it runs.
#[derive(Debug, Clone)]
pub(crate) struct How {
    /// How many ranks.
    pub ranks: u32,
    /// How long it may take.
    pub limit: Duration,
    /// The port at which the ranks meet; none takes one that is free.
    pub port: Option<u16>,
    /// Knobs of the program, `name=value`.
    pub set: Vec<String>,
}

/// What is known of PyTorch here.
enum Found {
    Looking,
    Here(Starter),
    /// A sentence says why not.
    Nowhere(String),
}

/// How far one is.
enum Stage {
    Ready,
    /// A Python is being named.
    Naming,
    /// What is predicted is a run here, or a stored one.
    Predict {
        stored: bool,
    },
    Running(Watch),
    Compared(Box<Compared>),
}

/// A run that goes on.
struct Watch {
    cancel: Cancel,
    said: Said,
    begun: Timestamp,
}

/// A run beside what it is compared with.
struct Compared {
    run: Run,
    /// Why a stored run stands in; none where it ran here.
    stored: Option<String>,
    lines: Vec<Line>,
}

impl Drop for Watch {
    /// A page that is gone leaves no process behind.
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

impl Measure {
    /// The measured program of a lab; looks for a PyTorch at once.
    ///
    /// # Errors
    /// Where the pack has no such lab, or the lab no such program.
    pub fn open(pack: usize, id: &str, at: &mut At) -> Result<Self, String> {
        let page = Measure::still(pack, id, at)?;
        page.look(at);
        Ok(page)
    }

    /// The same, without looking for a PyTorch.
    ///
    /// # Errors
    /// As [`Measure::open`].
    pub fn still(pack: usize, id: &str, at: &At) -> Result<Self, String> {
        let found = at.services.pack(pack).and_then(|of| Some((of, of.lab(id)?)));
        let Some((of, (lesson, lab))) = found else {
            return Err(format!("there is no lab “{id}” in this course; `infralens list labs` names them"));
        };
        let (Some(program), Some(measure)) = (measure::program(lab), &lab.measure) else {
            return Err(format!("the lab “{id}” has no program for real processes"));
        };
        let named = |guess: &Guess| Guess { ask: of.named(&guess.ask).into_owned(), ..guess.clone() };
        let notes = |code: &crate::pack::Code| code.blocks.iter().map(|b| b.notes.len()).sum();
        Ok(Measure {
            pack,
            lesson: lesson.id.clone(),
            program,
            guesses: measure.guesses.iter().map(named).collect(),
            files: measure.files().map(|code| (code.name().to_owned(), notes(code))).collect(),
            found: Found::Looking,
            how: How { ranks: RANKS[0], limit: LIMIT, port: None, set: Vec::new() },
            stage: Stage::Ready,
            predicted: BTreeMap::new(),
            asked: 0,
            fit: false,
            by_ear: false,
            heard: String::new(),
        })
    }

    /// How it is to run, what is predicted, and whether the simulators are fitted: for a verb, which asks nothing.
    pub fn set_up(&mut self, how: How, predicted: BTreeMap<String, f64>, fit: bool) {
        (self.how, self.predicted, self.fit) = (how, predicted, fit);
    }

    fn look(&self, at: &mut At) {
        let setting = at.services.setting(measure::SETTING);
        let setting = at.or_say(setting).flatten();
        at.out.push(Effect::Job(Job::Look(setting)));
    }

    /// Begins to predict a run of so many ranks, here or stored.
    fn predict(&mut self, ranks: u32, stored: bool, at: &mut At) -> Next {
        self.how.ranks = ranks;
        self.predicted.clear();
        self.asked = 0;
        self.stage = Stage::Predict { stored };
        if self.guesses.is_empty() { self.go(stored, at) } else { Next::Show }
    }

    /// Takes a number, or nothing, for the question that is asked.
    fn guess(&mut self, typed: &str, stored: bool, at: &mut At) -> Next {
        let Some(guess) = self.guesses.get(self.asked) else { return self.go(stored, at) };
        let (unit, factor) = value::typed_in(self.unit(&guess.figure));
        if !typed.trim().is_empty() {
            match quantity::read(typed, unit) {
                Ok(number) => drop(self.predicted.insert(guess.figure.clone(), number * factor)),
                Err(fault) => {
                    at.say(format!("{}; {}. Enter alone leaves it out", fault.what, fault.cure));
                    return Next::Stay;
                }
            }
        }
        self.asked += 1;
        if self.asked < self.guesses.len() { Next::Show } else { self.go(stored, at) }
    }

    /// The unit of a figure, as the stored runs have it.
    fn unit(&self, figure: &str) -> &'static str {
        let run = figures::stored(&self.program.stored, self.how.ranks);
        let unit = run.and_then(|run| run.figures.into_iter().find(|f| f.id == figure)).map(|f| f.unit);
        value::known(unit.as_deref().unwrap_or("count"))
    }

    /// Runs it, or takes the stored run.
    fn go(&mut self, stored: bool, at: &mut At) -> Next {
        if stored {
            let why = match &self.found {
                Found::Nowhere(why) => why.clone(),
                _ => "you asked for it".into(),
            };
            return self.stand_in(why, at);
        }
        match self.order() {
            Some(order) => {
                let (cancel, said) = (order.cancel.clone(), order.said.clone());
                self.stage = Stage::Running(Watch { cancel, said, begun: at.now });
                self.heard.clear();
                at.out.push(Effect::Job(Job::Measure(Box::new(order))));
                Next::Show
            }
            None => {
                self.stage = Stage::Ready;
                at.say("no Python with PyTorch was found");
                Next::Show
            }
        }
    }

    /// What is to run, where a PyTorch was found.
    pub fn order(&self) -> Option<Order> {
        let Found::Here(starter) = &self.found else { return None };
        let How { ranks, limit, port, set } = self.how.clone();
        Some(Order {
            pack: self.pack,
            program: self.program.clone(),
            setup: Setup { starter: starter.clone(), ranks, limit, port, set },
            cancel: Cancel::default(),
            said: Said::default(),
        })
    }

    /// Shows the stored run; a sentence says why.
    pub fn stand_in(&mut self, why: String, at: &mut At) -> Next {
        match figures::stored(&self.program.stored, self.how.ranks) {
            Some(run) => self.compare(run, Some(why), at),
            None => {
                self.stage = Stage::Ready;
                at.say(format!("{why}; {} has no stored run either", self.program.lab));
                Next::Show
            }
        }
    }

    /// Shows a run of this machine.
    pub fn take(&mut self, run: Run, at: &mut At) {
        self.compare(run, None, at);
    }

    fn compare(&mut self, run: Run, stored: Option<String>, at: &mut At) -> Next {
        match compare::lines(&run, &self.program.rows, &self.predicted, self.fit) {
            Ok(lines) => self.stage = Stage::Compared(Box::new(Compared { run, stored, lines })),
            Err(fault) => {
                self.stage = Stage::Ready;
                at.say(fault);
            }
        }
        Next::Show
    }

    /// Fits the simulators to the machine, or takes the fit back.
    fn turn_fit(&mut self, at: &mut At) -> Next {
        self.fit = !self.fit;
        match std::mem::replace(&mut self.stage, Stage::Ready) {
            Stage::Compared(old) => self.compare(old.run, old.stored, at),
            stage => {
                self.stage = stage;
                Next::Stay
            }
        }
    }

    fn name_python(&mut self, typed: &str, at: &mut At) -> Next {
        self.stage = Stage::Ready;
        if typed.trim().is_empty() {
            return Next::Show;
        }
        let record = Record::setting(measure::SETTING, typed.trim().to_owned());
        let said = at.services.keep(record, at.now).said();
        said.into_iter().for_each(|said| at.say(said));
        self.found = Found::Looking;
        self.look(at);
        Next::Show
    }

    /// The simulator of a compared figure, with its knobs.
    fn simulator(&self, row: usize) -> Option<Place> {
        let Stage::Compared(compared) = &self.stage else { return None };
        let (kind, set) = compared.lines.get(row)?.simulated.iter().find_map(|s| s.sim.clone())?;
        Some(Place::Sim { kind, set, link: None })
    }

    /// Whether something that must agree does not, or a check does not hold.
    pub fn is_wrong(&self) -> bool {
        let Stage::Compared(compared) = &self.stage else { return false };
        compared.run.checks.iter().any(|c| !c.ok) || compared.lines.iter().any(Line::is_wrong)
    }

    /// The ids of the figures that were compared; none before.
    pub fn figures(&self) -> Vec<&str> {
        let Stage::Compared(compared) = &self.stage else { return Vec::new() };
        compared.lines.iter().map(|line| line.figure.id.as_str()).collect()
    }

    /// Why no PyTorch was found, where that is known.
    pub fn missing(&self) -> Option<&str> {
        match &self.found {
            Found::Nowhere(why) => Some(why),
            _ => None,
        }
    }
}

impl Page for Measure {
    fn title(&self, services: &Services) -> Vec<String> {
        let lesson = services.library.lesson(self.pack, &self.lesson).map(|l| l.title.clone());
        let stage = match &self.stage {
            Stage::Ready | Stage::Naming => "on real processes",
            Stage::Predict { .. } => "predict",
            Stage::Running(_) => "running",
            Stage::Compared(_) => "measured",
        };
        lesson.into_iter().chain([self.program.title.clone(), stage.to_owned()]).collect()
    }

    fn scopes(&self) -> Vec<Scope> {
        match self.stage {
            Stage::Ready => vec![Scope::Measure],
            Stage::Naming | Stage::Predict { .. } => Vec::new(),
            Stage::Running(_) => vec![Scope::Measuring],
            Stage::Compared(_) => vec![Scope::Measured],
        }
    }

    fn view(&self, at: &At) -> View {
        let view = View::new().of_pack(self.pack);
        match &self.stage {
            Stage::Ready => self.ready(view, at),
            Stage::Naming => show::naming(view),
            Stage::Predict { .. } => self.predicting(view),
            Stage::Running(watch) => self.running(view, watch, at),
            Stage::Compared(compared) => self.compared(view, compared),
        }
    }

    fn preview(&self, row: usize, _at: &At) -> Option<Document> {
        let Stage::Compared(compared) = &self.stage else { return None };
        compared.lines.get(row).map(show::about)
    }

    fn by_ear(&mut self, _at: &mut At) {
        self.by_ear = true;
    }

    fn act(&mut self, act: Act, at: &mut At) -> Next {
        let stored = match self.stage {
            Stage::Predict { stored } => Some(stored),
            _ => None,
        };
        match (&self.stage, &act, act.action()) {
            (Stage::Ready, Act::Open(row), _) => match self.choices(at.services).get(*row) {
                Some(choice) => self.choose(*choice, at),
                None => Next::Stay,
            },
            (Stage::Ready, _, Some(Action::Run | Action::Open)) => match self.choices(at.services).first() {
                Some(choice) => self.choose(*choice, at),
                None => Next::Stay,
            },
            (Stage::Ready, _, Some(Action::NamePython)) => self.choose(Choice::Name, at),
            (Stage::Ready, _, Some(Action::Back)) => Next::Stay,
            (Stage::Naming, Act::Line(typed), _) => self.name_python(&typed.clone(), at),
            (Stage::Predict { .. }, Act::Line(typed), _) => {
                self.guess(&typed.clone(), stored.unwrap_or(true), at)
            }
            (Stage::Predict { .. }, _, Some(Action::Open)) => self.guess("", stored.unwrap_or(true), at),
            (Stage::Running(watch), _, Some(Action::Cancel | Action::Back)) => {
                watch.cancel.cancel();
                at.say("all ranks were stopped");
                Next::Stay
            }
            (Stage::Compared(_), _, Some(Action::Fit)) => self.turn_fit(at),
            (Stage::Compared(_), _, Some(Action::Run)) => {
                self.stage = Stage::Ready;
                match &self.found {
                    Found::Here(_) => self.predict(self.how.ranks, false, at),
                    _ => self.predict(self.how.ranks, true, at),
                }
            }
            (Stage::Compared(_), Act::On(_, row), Some(Action::Simulate)) => match self.simulator(*row) {
                Some(place) => Next::Go(place),
                None => {
                    at.say("no simulator predicts this figure");
                    Next::Stay
                }
            },
            (Stage::Compared(_), _, Some(Action::Simulate)) => {
                at.say("choose a figure, or type b and its number");
                Next::Stay
            }
            (Stage::Naming | Stage::Predict { .. } | Stage::Compared(_), _, Some(Action::Back)) => {
                self.stage = Stage::Ready;
                Next::Show
            }
            _ => Next::Stay,
        }
    }

    fn tick(&mut self, at: &mut At) -> Next {
        if let Stage::Running(watch) = &self.stage {
            let line = watch.said.line();
            if self.by_ear && line != self.heard && !line.is_empty() {
                at.say(line.trim_end_matches(':').to_owned());
            }
            self.heard = line;
        }
        Next::Stay
    }

    fn wake_at(&self, now: Timestamp) -> Option<Timestamp> {
        matches!(self.stage, Stage::Running(_)).then(|| now.checked_add(LOOK).ok())?
    }

    fn done(&mut self, done: &Done, at: &mut At) -> Next {
        match done {
            Done::Found(found) if matches!(self.found, Found::Looking) => {
                self.found = match found {
                    Ok(starter) => Found::Here(starter.clone()),
                    Err(fault) => Found::Nowhere(fault.to_string()),
                };
                if matches!(self.stage, Stage::Ready) { Next::Show } else { Next::Stay }
            }
            Done::Measured { pack, lab, run } if *pack == self.pack && *lab == self.program.lab => {
                if !matches!(self.stage, Stage::Running(_)) {
                    return Next::Stay;
                }
                match run {
                    Ok(run) => self.compare((**run).clone(), None, at),
                    Err(fault) => {
                        self.stage = Stage::Ready;
                        at.say(fault.clone());
                        Next::Show
                    }
                }
            }
            _ => Next::Stay,
        }
    }

    fn json(&self) -> Option<serde_json::Value> {
        match &self.stage {
            Stage::Compared(compared) => Some(show::json(compared)),
            _ => None,
        }
    }
}
