//! What the rules cannot tell is asked: the point in plain words, the learner's likeliest sentence beside it.
//!
//! It stands before the marks of a fresh answer, and can be left out. What is said is kept as the learner's own
//! word: it shows as that ever after, and the marks of the rules stay what they are.

use super::action::Action;
use super::keys::Scope;
use super::place::Place;
use super::view::{Row, View};
use super::{Act, At, Next, Page};
use crate::doc::{self, Cell, Document, MarkKind, Role};
use crate::score::{Ask, Claimed, Evidence, Reply, Scorer, Source, Verdict};
use crate::services::{Record, Services};
use crate::study::answer;
use crate::study::attempt::{Attempt, Claims};
use crate::study::schedule::{Grade, grade_attempt};

/// Questions about an answer, one at a time.
pub struct Asked {
    /// The answer with the marks of the rules.
    attempt: Attempt,
    scorer: Scorer,
    /// The index of the pack.
    pack: usize,
    /// What is still to be asked, the next first.
    open: Vec<Ask>,
    replied: Vec<Claimed>,
    /// The sentence that the learner points at, for the question at hand.
    pointed: Option<Evidence>,
    /// Whether a sentence is being chosen.
    choosing: bool,
    /// How often something else was shown.
    turn: usize,
    /// Whether it was opened from the marks, and goes back there.
    again: bool,
}

impl Asked {
    /// The questions that come before the marks of an answer. None where there are none, or where they were asked
    /// before.
    pub fn before(attempt: &Attempt, services: &Services) -> Option<Self> {
        let kept = services.attempt(&attempt.id).ok().flatten();
        let attempt = kept.as_ref().unwrap_or(attempt);
        // a text that is no answer has nothing to claim
        let is_answer = attempt.score.flags.is_empty();
        let is_new = attempt.claims.is_none();
        (is_answer && is_new).then(|| Asked::of(attempt, services, false))?
    }

    /// The questions once more, from the marks.
    ///
    /// # Errors
    /// Where there is nothing to ask.
    pub fn again(attempt: &Attempt, services: &Services) -> Result<Self, String> {
        let kept = services.attempt(&attempt.id).map_err(|fault| fault.to_string())?;
        let found = Asked::of(kept.as_ref().unwrap_or(attempt), services, true);
        found.ok_or_else(|| "the rules are sure of every part, so there is nothing to ask".into())
    }

    fn of(attempt: &Attempt, services: &Services, again: bool) -> Option<Self> {
        if attempt.marks().all(|p| !p.is_open()) {
            return None;
        }
        let pack = services.library.index(&attempt.pack)?;
        let scorer = answer::scorer(services.pack(pack)?, attempt)?;
        let open: Vec<Ask> = scorer.asks(&attempt.answer, &attempt.score);
        let counts = |ask: &Ask| attempt.part.as_ref().is_none_or(|part| ask.part == *part);
        let open: Vec<Ask> = open.into_iter().filter(counts).collect();
        (!open.is_empty()).then(|| Asked {
            replied: attempt.claims.clone().map(|c| c.claimed).unwrap_or_default(),
            attempt: attempt.clone(),
            scorer,
            pack,
            open,
            pointed: None,
            choosing: false,
            turn: 0,
            again,
        })
    }

    /// The question at hand.
    fn ask(&self) -> Option<&Ask> {
        self.open.first()
    }

    /// The words that stand beside the question.
    fn words(&self) -> Option<&Evidence> {
        self.pointed.as_ref().or(self.ask()?.sentence.as_ref())
    }

    fn choose(&mut self) -> Next {
        self.choosing = true;
        Next::Show
    }

    fn reply(&mut self, reply: Reply, at: &mut At) -> Next {
        let sentence = self.words().cloned().filter(|_| reply != Reply::No);
        if sentence.is_none() && reply != Reply::No {
            at.say("which sentence of yours says it?");
            return self.choose();
        }
        let Some(ask) = self.open.first().cloned() else { return self.end(at) };
        self.open.remove(0);
        self.pointed = None;
        self.replied.retain(|c| (&c.part, &c.point) != (&ask.part, &ask.point));
        self.replied.push(Claimed { part: ask.part.clone(), point: ask.point, reply, sentence });
        self.keep(at);
        // a part that is covered has nothing more to win
        let now = self.attempt.claims.as_ref().and_then(|c| c.verdicts.get(&ask.part));
        if now == Some(&Verdict::Covered) {
            let before = self.open.len();
            self.open.retain(|other| other.part != ask.part);
            if self.open.is_empty() && before > 0 {
                at.say("That covers the part; nothing else is open");
            }
        }
        if self.open.is_empty() { self.end(at) } else { Next::Show }
    }

    /// Keeps what was claimed until now.
    fn keep(&mut self, at: &mut At) {
        let verdicts = self.scorer.claimed(&self.attempt.score, &self.replied);
        self.attempt.claims = Some(Claims { claimed: self.replied.clone(), verdicts });
        let kept = at.services.keep(Record::Claims(Box::new(self.attempt.clone())), at.now);
        if let Some(said) = kept.said() {
            at.say(said);
        }
    }

    /// To the marks.
    fn end(&mut self, at: &mut At) -> Next {
        if self.attempt.claims.is_none() {
            self.keep(at);
        }
        match self.again {
            true => Next::Back,
            false => Next::Replace(Place::Verdict { attempt: Box::new(self.attempt.clone()) }),
        }
    }

    fn title_of(&self, part: &str, services: &Services) -> String {
        let title = services.pack(self.pack).map(|p| answer::part_title(&p.parts, part));
        title.unwrap_or(part).to_owned()
    }

    /// The sentences to choose from.
    fn sentences(&self) -> View {
        let rows = self.scorer.sentences(&self.attempt.answer).into_iter().map(|sentence| {
            let text = sentence.text.split_whitespace().collect::<Vec<_>>().join(" ");
            Row::here().wrapped().cell(Cell::text(text))
        });
        let says = self.ask().map_or("", |ask| &ask.says);
        let none = Row::here().cell(Cell::text("none of these").role(Role::Dim));
        let view = View::new().title("Which sentence says it?").words(says).list(rows.chain([none]));
        view.turn(self.turn)
    }

    /// The answer, with the words in question marked.
    fn answer(&self, services: &Services) -> Document {
        let places = services.pack(self.pack).map(|p| &p.parts);
        let place = |part: &str| places.and_then(|all| all.iter().position(|p| p.id == part)).unwrap_or(0);
        let mark = self
            .ask()
            .zip(self.words())
            .map(|(ask, words)| doc::Mark { bytes: words.range(), kind: MarkKind::Part(place(&ask.part)) });
        let marks = mark.into_iter().collect();
        Document::new().title("Your answer").answer(&self.attempt.answer, marks, None)
    }
}

impl Page for Asked {
    fn title(&self, services: &Services) -> Vec<String> {
        let lesson = services.library.lesson(self.pack, &self.attempt.lesson);
        lesson.map(|l| l.title.clone()).into_iter().chain(["before the marks".into()]).collect()
    }

    fn scopes(&self) -> Vec<Scope> {
        if self.choosing { vec![Scope::AskedSentence] } else { vec![Scope::Asked] }
    }

    fn view(&self, at: &At) -> View {
        if self.choosing {
            return self.sentences();
        }
        let Some(ask) = self.ask() else { return View::new() };
        let part = self.title_of(&ask.part, at.services);
        let left = match self.open.len() {
            1 => "one question".to_owned(),
            n => format!("{n} questions"),
        };
        let intro = format!("The rules are not sure of {part}. You know what you meant: {left}.");
        let asked = match (ask.found, self.pointed.is_some()) {
            (true, false) => "Your words were taken for this. Did you say it?",
            _ => "Did you say this?",
        };
        let point = Document::new().title(asked).words(&ask.says);
        let yours = match self.words() {
            Some(words) => {
                let words = words.text.split_whitespace().collect::<Vec<_>>().join(" ");
                let label = if self.pointed.is_some() { "Your sentence" } else { "Your likeliest sentence" };
                point.dim(label).words(&format!("“{words}”"))
            }
            None => point.dim("No sentence of yours comes near it."),
        };
        let row = |action, words| Row::act(action).cell(Cell::text(words));
        let rows = [
            row(Action::Yes, "Yes"),
            row(Action::Partly, "Partly"),
            row(Action::No, "No"),
            row(Action::Other, "Another sentence of mine says it"),
            row(Action::Skip, "Go to the marks; leave it open"),
        ];
        let first = if self.words().is_none() { 2 } else { 0 };
        let view = View::new().of_pack(self.pack).dim(&intro).with(|body| body.and(yours)).list(rows);
        // in lines; a terminal takes the chosen row
        view.begin_at(first).turn(self.turn).halves().enter("goes to the marks and leaves it open")
    }

    /// The answer, for the eye alone: an ear has heard the sentence.
    fn preview(&self, _row: usize, at: &At) -> Option<Document> {
        (!self.choosing).then(|| self.answer(at.services))
    }

    fn act(&mut self, act: Act, at: &mut At) -> Next {
        self.turn += 1;
        if let (true, Act::Open(row)) = (self.choosing, &act) {
            self.pointed = self.scorer.sentences(&self.attempt.answer).into_iter().nth(*row);
            self.choosing = false;
            return Next::Show;
        }
        match act.action() {
            Some(Action::Cancel) => {
                self.choosing = false;
                Next::Show
            }
            Some(Action::Back) if self.choosing => {
                self.choosing = false;
                Next::Show
            }
            // the marks come whichever way one leaves
            Some(Action::Back) => self.end(at),
            Some(Action::Yes) => self.reply(Reply::Yes, at),
            Some(Action::Partly) => self.reply(Reply::Partly, at),
            Some(Action::No) => self.reply(Reply::No, at),
            Some(Action::Other) => self.choose(),
            // in lines, Enter alone
            Some(Action::Skip | Action::Open) => self.end(at),
            _ => Next::Stay,
        }
    }

    fn result(&self) -> Option<Grade> {
        grade_attempt(&self.attempt)
    }
}

/// Who gave the mark of a part, where that is not the rules.
pub fn by(source: Source) -> Option<&'static str> {
    match source {
        Source::Rules => None,
        Source::You => Some("by you"),
        Source::Judge => Some("by the judge"),
        Source::Instructor => Some("by the instructor"),
    }
}
