//! What the rules cannot tell is asked: the points of a part, ticked as the rules see them, to be put right.
//!
//! It stands before the marks of a fresh answer, and can be left out. What is said is kept as the learner's own
//! word: it shows as that ever after, and the marks of the rules stay what they are.

use super::action::Action;
use super::answered::{answered, phrases};
use super::keys::Scope;
use super::place::Place;
use super::verdict::marks::word;
use super::view::{Row, View};
use super::{Act, At, Next, Page};
use crate::doc::{self, Cell, Document, MarkKind, Role};
use crate::score::{Ask, Claimed, Evidence, PartScore, Progress, Reply, Scorer, Source, Verdict};
use crate::services::{Record, Services};
use crate::study::answer;
use crate::study::attempt::{Attempt, Claims};
use crate::study::schedule::{Grade, grade_attempt};
use crate::study::words::{capital, some, verdict};

/// Lists of points of which the learner ticks what was said, a part at a time.
pub struct Asked {
    /// The answer with the marks of the rules.
    attempt: Attempt,
    scorer: Scorer,
    /// The index of the pack.
    pack: usize,
    /// The parts that are still to be asked about, the next first.
    open: Vec<Vec<Point>>,
    replied: Vec<Claimed>,
    /// The point for which a sentence is being chosen.
    choosing: Option<usize>,
    /// Whether something was ticked or unticked in the part at hand.
    touched: bool,
    /// How often something else was shown.
    turn: usize,
    /// Whether it was opened from the marks, and goes back there.
    again: bool,
}

/// A point and what the learner says of it.
struct Point {
    ask: Ask,
    reply: Reply,
    /// Whether its sentence says it: the rules found it there, or the learner chose it. Any other is a guess.
    has_words: bool,
    /// Whether the learner said so; else it is what the rules see.
    is_own: bool,
}

impl Point {
    /// A point as the rules see it.
    fn of(ask: Ask) -> Point {
        let reply = match (ask.found, ask.partly) {
            (true, _) => Reply::Yes,
            (false, true) => Reply::Partly,
            (false, false) => Reply::No,
        };
        Point { has_words: ask.found || ask.partly, ask, reply, is_own: false }
    }

    /// The box before it, and for the ear.
    fn tick(&self) -> (&'static str, &'static str) {
        match self.reply {
            Reply::Yes => ("[x]", "ticked"),
            Reply::Partly => ("[~]", "said in part"),
            Reply::No => ("[ ]", "not ticked"),
        }
    }

    /// What is asked of a tick that the rules set and are not sure of.
    fn question(&self) -> &'static str {
        match self.reply {
            Reply::Yes if !self.is_own => "the rules found it, but are not sure: is it so?",
            Reply::Partly if !self.is_own => "the rules found a part of it: is it so?",
            _ => "",
        }
    }

    /// What is said of it, as it would be kept.
    fn claimed(&self) -> Claimed {
        let Point { ask, reply, .. } = self;
        Claimed { part: ask.part.clone(), point: ask.point.clone(), reply: *reply, sentence: None }
    }

    /// The words about which it is, on one line.
    fn words(&self) -> Option<String> {
        let sentence = self.ask.sentence.as_ref().filter(|_| self.has_words)?;
        Some(sentence.text.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

/// So many parts are asked about before the marks.
const MOST_BEFORE: usize = 2;

impl Asked {
    /// The questions that come before the marks of an answer. None where there are none, or where they were asked
    /// before.
    pub fn before(attempt: &Attempt, services: &Services) -> Option<Self> {
        let kept = services.attempt(&attempt.id).ok().flatten();
        let is_new = attempt.claims.is_none();
        let attempt = kept.as_ref().unwrap_or(attempt);
        // a text that is no answer has nothing to claim
        let is_answer = attempt.score.flags.is_empty();
        let is_new = is_new && attempt.claims.is_none();
        (is_answer && is_new).then(|| Asked::of(attempt, services, false))?
    }

    /// The questions once more, from the marks: of this part first, and of those that were asked about before last.
    ///
    /// # Errors
    /// Where there is nothing to ask.
    pub fn again(attempt: &Attempt, first: Option<&str>, services: &Services) -> Result<Self, String> {
        let kept = services.attempt(&attempt.id).map_err(|fault| fault.to_string())?;
        let mut found = Asked::of(kept.as_ref().unwrap_or(attempt), services, true);
        if let Some(Asked { open, replied, .. }) = &mut found {
            let was_asked = |part: &str| replied.iter().any(|c| c.part == part);
            open.sort_by_cached_key(|points| {
                let part = points.first().map_or("", |p| &p.ask.part);
                (first != Some(part), was_asked(part))
            });
        }
        found.ok_or_else(|| "the rules are sure of every part, so there is nothing to ask".into())
    }

    fn of(attempt: &Attempt, services: &Services, again: bool) -> Option<Self> {
        if attempt.marks().all(|p| !p.is_open()) {
            return None;
        }
        let pack = services.library.index(&attempt.pack)?;
        let scorer = answer::scorer(services.pack(pack)?, attempt)?;
        let counts = |ask: &Ask| attempt.part.as_ref().is_none_or(|part| ask.part == *part);
        let asks: Vec<Ask> =
            scorer.asks(&attempt.answer, &attempt.score).into_iter().filter(counts).collect();
        let parts = asks.chunk_by(|a, b| a.part == b.part);
        let mut open: Vec<Vec<Point>> =
            parts.map(|part| part.iter().cloned().map(Point::of).collect()).collect();
        let replied = attempt.claims.clone().map(|c| c.claimed).unwrap_or_default();
        for point in open.iter_mut().flatten() {
            if let Some(said) =
                replied.iter().find(|c| (&c.part, &c.point) == (&point.ask.part, &point.ask.point))
            {
                (point.reply, point.is_own) = (said.reply, true);
                point.has_words |= said.sentence.is_some();
                point.ask.sentence = said.sentence.clone().or(point.ask.sentence.take());
            }
        }
        weakest_first(&mut open, attempt);
        if !again {
            // before the marks it is asked what may raise them, and briefly; from the marks one asks for the rest
            let is_covered =
                |part: &str| attempt.marks().any(|p| p.part == part && p.verdict == Verdict::Covered);
            open.retain(|points| points.first().is_some_and(|p| !is_covered(&p.ask.part)));
            open.truncate(MOST_BEFORE);
        }
        (!open.is_empty()).then(|| Asked {
            replied,
            attempt: attempt.clone(),
            scorer,
            pack,
            open,
            choosing: None,
            touched: false,
            turn: 0,
            again,
        })
    }

    /// The points of the part at hand.
    fn points(&self) -> &[Point] {
        self.open.first().map_or(&[], Vec::as_slice)
    }

    fn point(&mut self, row: usize) -> Option<&mut Point> {
        self.open.first_mut()?.get_mut(row)
    }

    fn choose(&mut self, row: usize) -> Next {
        if row < self.points().len() {
            self.choosing = Some(row);
            self.turn += 1;
        }
        Next::Show
    }

    /// Ticks a point, or takes the tick away. What the rules did not find is ticked with the sentence that says it,
    /// which the learner chooses.
    fn reply(&mut self, row: usize, reply: Option<Reply>, at: &mut At) -> Next {
        let Some(point) = self.point(row) else { return Next::Stay };
        let reply = reply.unwrap_or(if point.reply == Reply::No { Reply::Yes } else { Reply::No });
        (point.reply, point.is_own) = (reply, true);
        let needs_words = reply != Reply::No && !point.has_words;
        self.touched = true;
        if !needs_words {
            return Next::Show;
        }
        // the nearest sentence is taken at once, and shown; another one is a key away
        if let Some(near) = self.points().get(row).and_then(|point| point.ask.sentence.clone()) {
            at.say("ticked with your nearest sentence; o takes another one");
            return self.chosen(row, Some(near));
        }
        let mut sentences = self.scorer.sentences(&self.attempt.answer);
        if sentences.len() < 2 {
            return self.chosen(row, sentences.pop());
        }
        at.say("which sentence of yours says it?");
        self.choose(row)
    }

    /// Enter on a point ticks it; a tick is not taken away by it, as that key also means to go on.
    fn tick(&mut self, row: usize, at: &mut At) -> Next {
        let reply = self.points().get(row).map(|point| point.reply);
        match reply {
            Some(Reply::Yes) => {
                self.touched = true;
                self.point(row).into_iter().for_each(|point| point.is_own = true);
                at.say("it is ticked; n takes the tick away");
                return Next::Show;
            }
            Some(Reply::Partly) => at.say("it is ticked in part; y ticks all of it, n takes the tick away"),
            _ => return self.reply(row, None, at),
        }
        Next::Stay
    }

    /// Keeps what is ticked of the part at hand, and goes on to the next.
    fn go_on(&mut self, at: &mut At) -> Next {
        if self.open.is_empty() {
            return self.end(at);
        }
        for Point { ask, reply, has_words, .. } in self.open.remove(0) {
            self.replied.retain(|c| (&c.part, &c.point) != (&ask.part, &ask.point));
            let sentence = ask.sentence.filter(|_| reply != Reply::No && has_words);
            self.replied.push(Claimed { part: ask.part, point: ask.point, reply, sentence });
        }
        self.touched = false;
        self.turn += 1;
        self.keep(at);
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

    /// What the ticks make of the part as they stand, and how many are wanted: `✓ covered now   one of these is enough`.
    fn now(&self, part: &str) -> Row {
        let claims: Vec<Claimed> = self.points().iter().map(Point::claimed).collect();
        let rules = self.attempt.marks().find(|p| p.part == part).map_or(Verdict::Missing, |p| p.verdict);
        let now = self.scorer.claimed(&self.attempt.score, &claims).get(part).copied().unwrap_or(rules);
        let is_said = |id: &str| claims.iter().any(|c| c.point == id && c.reply == Reply::Yes);
        let Progress { wanted, counted } = self.scorer.progress(part, is_said);
        let ticked = claims.iter().filter(|c| c.reply == Reply::Yes).count();
        let enough = match (now, wanted, claims.len()) {
            (Verdict::Covered, ..) | (_, 1, 1) if wanted == 1 && claims.len() == 1 => {
                "the tick covers it".to_owned()
            }
            (_, 1, _) if ticked == 0 || now == Verdict::Covered => "one of these is enough".to_owned(),
            // what is ticked is none of those that count, or does not count in full
            (_, 1, _) => self.covering(part, &claims).unwrap_or("a false statement costs it a level".into()),
            (_, n, all) if n == all => format!("all {n} are wanted"),
            (_, n, _) => format!("{n} of these are enough"),
        };
        let more = match (now, wanted - counted) {
            (Verdict::Covered, _) => String::new(),
            _ if wanted == 1 => String::new(),
            // all is ticked that is wanted, and a false statement takes a level
            (_, 0) => "; a false statement costs it a level".to_owned(),
            (_, 1) => match self.covering(part, &claims) {
                Some(which) if ticked + 1 > wanted => format!("; {which}"),
                _ => "; one more tick covers it".to_owned(),
            },
            (_, n) => format!("; {n} more ticks cover it"),
        };
        let cell = Cell::mark(now) + Cell::text(" ") + word(now) + Cell::text(" now").role(Role::Text);
        let said = format!("With these ticks it is {}: {enough}{more}.", verdict(now));
        Row::plain()
            .wrapped()
            .cell(cell + Cell::text(format!("   {enough}{more}")).role(Role::Dim))
            .said(said)
    }

    /// Which tick would cover the part, beside those there are: `a tick at the second or the third covers it`.
    fn covering(&self, part: &str, claims: &[Claimed]) -> Option<String> {
        let covers = |at: &usize| {
            let mut then = claims.to_vec();
            then[*at].reply = Reply::Yes;
            self.scorer.claimed(&self.attempt.score, &then).get(part) == Some(&Verdict::Covered)
        };
        let open = || (0..claims.len()).filter(|at| claims[*at].reply != Reply::Yes);
        let all: Vec<usize> = open().filter(covers).collect();
        let name = |at: &usize| match at {
            0 => "the first".to_owned(),
            1 => "the second".to_owned(),
            2 => "the third".to_owned(),
            at => format!("number {}", at + 1),
        };
        let names: Vec<String> = all.iter().map(name).collect();
        match names.as_slice() {
            [] => None,
            all if all.len() == open().count() && all.len() > 1 => Some("any one more tick covers it".into()),
            all => Some(format!("a tick at {} covers it", all.join(" or "))),
        }
    }

    fn title_of(&self, part: &str, services: &Services) -> String {
        let title = services.pack(self.pack).map(|p| answer::part_title(&p.parts, part));
        title.unwrap_or(part).to_owned()
    }

    /// The sentences to choose from.
    fn sentences(&self, row: usize) -> View {
        let sentences = self.scorer.sentences(&self.attempt.answer);
        let near = self.points().get(row).and_then(|point| point.ask.sentence.as_ref());
        let likely =
            near.and_then(|near| sentences.iter().position(|s| s.start <= near.start && near.start < s.end));
        let rows = sentences.into_iter().map(|sentence| {
            let text = sentence.text.split_whitespace().collect::<Vec<_>>().join(" ");
            Row::here().wrapped().cell(Cell::text(text))
        });
        let says = self.points().get(row).map_or("", |point| &point.ask.says);
        let none = Row::here().cell(Cell::text("none of these").role(Role::Dim));
        let view = View::new().title("Which sentence says it?").words(says).list(rows.chain([none]));
        view.begin_at(likely.unwrap_or(0)).turn(self.turn)
    }

    /// Takes the chosen sentence for the point at hand; without one nothing says it.
    fn chosen(&mut self, row: usize, sentence: Option<Evidence>) -> Next {
        self.choosing = None;
        self.turn += 1;
        self.touched = true;
        if let Some(point) = self.point(row) {
            point.is_own = true;
            point.reply = match (&sentence, point.reply) {
                (None, _) => Reply::No,
                (Some(_), Reply::No) => Reply::Yes,
                (Some(_), reply) => reply,
            };
            point.has_words |= sentence.is_some();
            point.ask.sentence = sentence.or(point.ask.sentence.take());
        }
        Next::Show
    }

    /// Back without another sentence: what no sentence says is not ticked.
    fn not_chosen(&mut self, row: usize) -> Next {
        self.choosing = None;
        self.turn += 1;
        if let Some(point) = self.point(row).filter(|point| !point.has_words) {
            point.reply = Reply::No;
        }
        Next::Show
    }

    /// The answer, with the words of a point marked.
    fn answer(&self, row: usize, services: &Services) -> Document {
        let places = services.pack(self.pack).map(|p| &p.parts);
        let place = |part: &str| places.and_then(|all| all.iter().position(|p| p.id == part)).unwrap_or(0);
        let text = &self.attempt.answer;
        let marks = self.points().get(row).and_then(|point| {
            let words = point.ask.sentence.as_ref().filter(|_| point.has_words)?;
            let kind = MarkKind::Part(place(&point.ask.part));
            Some(phrases(text, [words]).into_iter().map(|bytes| doc::Mark { bytes, kind }).collect())
        });
        answered(text, marks.unwrap_or_default())
    }
}

/// The parts that a tick may raise come first, and of those the ones that the rules are least sure of.
fn weakest_first(open: &mut [Vec<Point>], attempt: &Attempt) {
    let marks: Vec<&PartScore> = attempt.marks().collect();
    open.sort_by(|a, b| {
        let mark = |points: &[Point]| {
            let part = &points.first()?.ask.part;
            marks.iter().find(|p| p.part == *part).map(|p| (p.verdict == Verdict::Covered, p.confidence))
        };
        let [a, b] = [a, b].map(|points| mark(points).unwrap_or((true, 1.0)));
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
}

impl Page for Asked {
    fn title(&self, services: &Services) -> Vec<String> {
        let lesson = services.library.lesson(self.pack, &self.attempt.lesson);
        lesson.map(|l| l.title.clone()).into_iter().chain(["before the marks".into()]).collect()
    }

    fn scopes(&self) -> Vec<Scope> {
        if self.choosing.is_some() { vec![Scope::AskedSentence] } else { vec![Scope::Asked] }
    }

    fn view(&self, at: &At) -> View {
        if let Some(row) = self.choosing {
            return self.sentences(row);
        }
        let Some(first) = self.points().first() else { return View::new() };
        let part = self.title_of(&first.ask.part, at.services);
        let left = match self.open.len() {
            1 => String::new(),
            n => format!(" {} after it.", some(n - 1, "part")),
        };
        let is_found = self.points().iter().any(|point| point.reply != Reply::No && !point.is_own);
        let found = if is_found { " What the rules found is ticked." } else { "" };
        let intro = format!(
            "The rules are not sure of {part}. These are points of a good answer: tick those that you said.{found}{left}"
        );
        let points = self.points().iter().map(|point| {
            let (tick, spoken) = point.tick();
            let question = point.question();
            let said = match (point.words(), point.reply) {
                (Some(words), Reply::Yes | Reply::Partly) => {
                    let stop = if words.ends_with(['.', '!', '?']) { "" } else { "." };
                    format!("{spoken}: {} You said: “{words}”{stop} {}", point.ask.says, capital(question))
                }
                _ => format!("{spoken}: {}", point.ask.says),
            };
            let own = point.words().filter(|_| point.is_own && point.reply != Reply::No);
            let own = own.map(|words| format!("  you: “{words}”")).unwrap_or_default();
            let says = Cell::text(&point.ask.says)
                + Cell::text(format!("  {question}")).role(Role::Accent)
                + Cell::text(own).role(Role::Dim);
            Row::here().cell(Cell::text(tick)).cell(says).wrapped().said(said.trim_end())
        });
        let on =
            if self.open.len() > 1 { "That is right: the next part" } else { "That is right: to the marks" };
        let row = |action, words| {
            Row::act(action).cell(Cell::text("  ")).cell(Cell::text(words).role(Role::Accent))
        };
        let ways = [row(Action::Submit, on), row(Action::Skip, "Go to the marks without ticking")];
        let view =
            View::new().of_pack(self.pack).title(&format!("{part}: which of these did you mean to say?"));
        let legend = Row::plain()
            .cell(Cell::text("[x] said   [~] said in part   [ ] not said").role(Role::Dim))
            .said("");
        let view = view
            .dim(&intro)
            .list([self.now(&first.ask.part), legend])
            .list(points.chain([Row::plain().cell(Cell::text(""))]).chain(ways))
            .turn(self.turn)
            .halves();
        // in lines; a terminal takes the chosen row
        view.enter(if self.touched {
            "keeps the ticks and goes on"
        } else {
            "goes to the marks without ticking"
        })
    }

    /// The answer, for the eye alone: an ear has heard the sentences.
    fn preview(&self, row: usize, at: &At) -> Option<Document> {
        self.choosing.is_none().then(|| self.answer(row, at.services))
    }

    fn act(&mut self, act: Act, at: &mut At) -> Next {
        if let (Some(point), Act::Open(row)) = (self.choosing, &act) {
            let sentence = self.scorer.sentences(&self.attempt.answer).into_iter().nth(*row);
            return self.chosen(point, sentence);
        }
        if let (Some(point), Some(Action::Cancel | Action::Back)) = (self.choosing, act.action()) {
            return self.not_chosen(point);
        }
        let row = match act {
            Act::Open(row) | Act::On(_, row) => row,
            _ => 0,
        };
        match act.action() {
            None if matches!(act, Act::Open(_)) => self.tick(row, at),
            Some(Action::Toggle) => self.reply(row, None, at),
            Some(Action::Yes) => self.reply(row, Some(Reply::Yes), at),
            Some(Action::Partly) => self.reply(row, Some(Reply::Partly), at),
            Some(Action::No) => self.reply(row, Some(Reply::No), at),
            Some(Action::Other) => self.choose(row),
            Some(Action::Submit) => self.go_on(at),
            // in lines, Enter alone
            Some(Action::Open) if self.touched => self.go_on(at),
            // the marks come whichever way one leaves
            Some(Action::Skip | Action::Open | Action::Back) => self.end(at),
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
