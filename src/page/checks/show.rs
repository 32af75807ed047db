//! How a check is shown and answered: the question with its options, hints and what came of the answer beside it; what is
//! chosen or typed as an answer.

use super::{Checks, Went};
use crate::doc::{self, Cell, Document, Judged, Role, Rows};
use crate::pack::CheckKind;
use crate::page::keys::Scope;
use crate::page::place::Place;
use crate::page::view::{Row, View};
use crate::services::Services;
use crate::study::check::{self, Answer, Asked, Form, Line, Marked};
use crate::study::words::capital;
use crate::study::{measure, thing};

/// Columns of the bar that says how far one is.
const BAR: u16 = 12;

pub(super) fn view(page: &Checks, view: View, services: &Services) -> View {
    let named = |text: &str| services.pack(page.pack).map_or(text.into(), |p| p.named(text)).into_owned();
    let view = view.of_pack(page.pack).enter(enter(page)).turn(turn(page)).begin_at(page.pointed.0);
    let view = if page.is_over() && page.seen.is_none() { view } else { view.centred() };
    let view = if page.alone { view } else { view.with(|body| body.rows(progress(page))) };
    if let Some(row) = page.seen {
        return seen(page, row, view, services);
    }
    if page.is_over() {
        return over(page, view, services);
    }
    let Some(asked) = &page.asked else {
        return page.unread.iter().fold(view, |view, fault| view.words(fault));
    };
    let view = view.markdown(&named(&asked.question));
    let (view, side) = match &page.marked {
        Some(marked) => {
            // who listens heard the question: what is new stands beside it
            let rows = answered(asked, marked, &named);
            let heard = match asked.form {
                Form::Choice(_) if !marked.right => first_right(&rows, marked),
                _ => rows.clone(),
            };
            let heard = heard.iter().map(doc::Row::spoken).filter(|words| !words.is_empty());
            let heard = heard.map(doc::Row::heard);
            let side = Document::new().rows(Rows::of(heard));
            let side = if page.is_heard { side } else { side.title("Why") }.markdown(&named(&marked.explain));
            let silent = rows.iter().cloned();
            let silent = silent.map(|row| if row.cells.is_empty() { row } else { row.said("") });
            // of the options, not of what stands above them
            let mut is_option = false;
            let loose = silent.clone().flat_map(|row| {
                is_option |= row.cells.is_empty();
                let apart = is_option && !row.cells.is_empty();
                [row].into_iter().chain(apart.then(doc::Row::default))
            });
            let loose = view.body.clone().rows(Rows::of(loose));
            (view.with(|body| body.rows(Rows::of(silent))).loose(loose), side)
        }
        None => {
            let loose = options(page, asked, view.clone(), (true, &named)).body;
            let view = options(page, asked, view, (false, &named)).loose(loose);
            let is_choice = matches!(asked.form, Form::Choice(_) | Form::Claim) && !page.is_heard;
            let view = if is_choice { view.unchosen() } else { view };
            // who types sees it below the field, where nothing moves
            let refused = page.unread.as_deref().filter(|_| !page.is_heard).map(capital);
            (view.refused(refused), before(page, asked, &named))
        }
    };
    if side.is_empty() { view } else { view.beside(View::new().with(|body| body.and(side))) }
}

/// How all of them went; each leads back to its question.
fn over(page: &Checks, view: View, services: &Services) -> View {
    let (answered, right) = page.counts();
    if answered == 0 {
        return view.words("You left all of them out; s asks them.");
    }
    let row = |(id, went): (&String, &Went)| {
        let asked = services.pack(page.pack).and_then(|p| Some((p, p.check(id)?)));
        let question = asked.map(|(p, check)| thing::asked_as(p, check, went.seed));
        // the numbers of steps say nothing without the steps
        let is_order = asked.is_some_and(|(_, check)| matches!(check.kind, CheckKind::Order(_)));
        let given = match went.right {
            Some(_) if !is_order => {
                let given = asked.map_or(went.given.as_str().into(), |(p, _)| p.named(&went.given));
                format!("  You said: {}.", plain(&given).trim_end_matches('.'))
            }
            _ => String::new(),
        };
        let mark = match went.right {
            Some(true) => Cell::mark(Judged::Covered).said("right"),
            Some(false) => Cell::mark(Judged::Missing).said("wrong"),
            None => Cell::mark(Judged::Untouched).said("left out"),
        };
        let question = Cell::text(question.unwrap_or_default());
        Row::here().tall().cell(mark).cell(question + Cell::text(given).role(Role::Dim))
    };
    let first = page.went.iter().position(|went| went.right != Some(true)).unwrap_or(0);
    let wrong = answered - right;
    let tail = match wrong {
        0 => "All of them are right.".to_owned(),
        1 => "The wrong one comes back in the review; w asks it again now.".to_owned(),
        _ => format!("What you got wrong comes back in the review; w asks the {wrong} wrong ones again now."),
    };
    let tail = match page.checks.len() - answered {
        0 => tail,
        1 => format!("{tail} s asks the one that you left out; its number does too."),
        left => format!("{tail} s asks the {left} that you left out; the number of one asks that one alone."),
    };
    // what else the lesson asks has a page of its own
    let sheets = services.pack(page.pack).filter(|_| page.checks.len() > 1);
    let sheets = sheets.into_iter().flat_map(|pack| pack.checks_of(&page.lesson)).filter_map(|check| {
        let CheckKind::Worksheet(sheet) = &check.kind else { return None };
        let (lesson, only) = (page.lesson.clone(), Some(check.id.clone()));
        let title = Cell::text(format!("Worksheet: {}", sheet.title));
        Some(Row::to(Place::Checks { pack: page.pack, lesson, only }).tall().cell(Cell::text("")).cell(title))
    });
    view.title(&format!("Done: {right} of {answered} right"))
        .list(page.checks.iter().zip(&page.went).map(row).chain(sheets))
        .dim(&tail)
        .begin_at(first)
}

/// Another number for other rows, and for another step of an order under the pointer.
fn turn(page: &Checks) -> usize {
    let seen = if page.seen.is_some() { TURNS / 2 } else { 0 };
    page.at * TURNS + seen + page.pointed.1 % (TURNS / 2)
}

/// More than the turns that one check takes.
const TURNS: usize = 1024;

/// The question of one of them with its answer.
fn seen(page: &Checks, row: usize, view: View, services: &Services) -> View {
    let Some((pack, went)) = services.pack(page.pack).zip(page.went.get(row)) else { return view };
    let Some(check) = page.checks.get(row).and_then(|id| pack.check(id)) else { return view };
    let view = view.markdown(&pack.named(&thing::asked_as(pack, check, went.seed)));
    let word = match went.right {
        Some(true) => Cell::mark(Judged::Covered) + Cell::text(" Right").role(Role::Good),
        Some(false) => Cell::mark(Judged::Missing) + Cell::text(" Not right").role(Role::Missing),
        None => Cell::text("You left it out.").role(Role::Dim),
    };
    let given = match (&check.kind, went.right) {
        (CheckKind::Order(_), _) | (_, None) => String::new(),
        _ => format!(": you said {}", plain(&pack.named(&went.given)).trim_end_matches('.')),
    };
    let word = doc::Row::new([word + Cell::text(given)]).wrapped();
    let view = view.with(|body| body.rows(Rows::of([word]))).enter("goes back to all of them");
    view.with(|body| body.and(explained(page, row, services).unwrap_or_default()))
}

/// The right answer to one of those that were gone through, and why it is right.
pub(super) fn explained(page: &Checks, row: usize, services: &Services) -> Option<Document> {
    let (pack, went) = (services.pack(page.pack)?, page.went.get(row)?);
    let check = pack.check(page.checks.get(row)?)?;
    went.right?;
    let asked = check::ask(check, went.seed).ok()?;
    let named = |text: &str| pack.named(text).into_owned();
    let right = check::right(check, &asked).unwrap_or_default();
    let head = Document::new().title("It is");
    let head = right.lines().fold(head, |head, line| head.words(&plain(&named(line))));
    Some(head.title("Why").markdown(&named(&asked.explain)))
}

/// What Enter alone does in lines.
fn enter(page: &Checks) -> &'static str {
    let is_last = match page.round() {
        Some(round) => round.left.is_empty(),
        None => page.at + 1 >= page.checks.len(),
    };
    match (page.is_marked() || page.is_broken(), page.is_picked()) {
        _ if page.is_over() => "",
        (true, _) if is_last && page.checks.len() == 1 => "",
        (true, _) if is_last => "says how many were right",
        (true, _) => "goes to the next check",
        (false, true) => "answers in this order",
        (false, false) => "waits for an answer",
    }
}

/// `███░░░ 1/3   1 of 1 right`; where the wrong ones are asked again, how it goes with them.
fn progress(page: &Checks) -> Rows {
    let (at, all) = (page.at.min(page.checks.len()), page.checks.len());
    // what was left out is not done
    let (done, right) = page.round().map_or(page.counts(), |round| round.counts);
    let of = page.round().map_or(all, |round| round.all);
    let left_out = page.went.iter().take(at).filter(|went| went.right.is_none()).count();
    let share = if of == 0 { 0.0 } else { done as f64 / of as f64 };
    let right = if done > 0 { format!("   {right} of {done} right") } else { String::new() };
    let left_out = if left_out > 0 { format!("   {left_out} left out") } else { String::new() };
    let counts = match page.round() {
        Some(round) if round.left.is_empty() => {
            format!(" {done}/{of} of the {}, the last one{right}", round.of)
        }
        Some(round) => format!(" {done}/{of} of the {}{right}", round.of),
        None => format!(" {done}/{all}{right}{left_out}"),
    };
    let row = doc::Row::new([Cell::meter(share, BAR) + Cell::text(counts).role(Role::Dim)]);
    Rows::of([row.said(if at < all { format!("Check {} of {all}.", at + 1) } else { String::new() })])
}

/// What can be answered: rows, a number, or in lines whatever is typed.
fn options(
    page: &Checks,
    asked: &Asked,
    view: View,
    (is_loose, named): (bool, &dyn Fn(&str) -> String),
) -> View {
    let apart = |rows: Vec<Row>| -> Vec<Row> {
        let blank = |row| [row].into_iter().chain(is_loose.then(Row::plain));
        rows.into_iter().flat_map(blank).collect()
    };
    let row = |label: String, text: &str| {
        let said = if page.picked.is_empty() { text.to_owned() } else { format!("{text} {label}") };
        Row::here().cell(Cell::text(format!("{label} {text}"))).wrapped().said(said)
    };
    match &asked.form {
        Form::Choice(shown) => {
            let texts = shown.iter().enumerate();
            let rows = texts.map(|(nth, s)| row(format!("{})", nth + 1), &plain(&named(&s.text))));
            let view = view.list(apart(rows.collect()));
            view.spoken("Type the number of the right one")
        }
        Form::Claim => {
            let both = ["True", "False"].into_iter().enumerate();
            view.list(apart(both.map(|(nth, text)| row(format!("{})", nth + 1), text)).collect()))
                .spoken("Type 1 or 2")
        }
        Form::Order(shown) => {
            let label = |nth: usize| match page.picked.iter().position(|picked| *picked == nth) {
                Some(place) => format!("[{}]", place + 1),
                None => "[ ]".into(),
            };
            let texts = shown.iter().enumerate();
            let rows = texts.map(|(nth, s)| row(label(nth), &plain(&named(&s.text))));
            let view = view.list(apart(rows.collect()));
            let left = shown.len() - page.picked.len();
            let view = if left > 0 { view.dim(&format!("{left} to go")) } else { view };
            view.spoken("Type the numbers in the right order, such as 3 1 2")
        }
        Form::Number { unit, .. } => view.line(&measure::asked(unit), &page.typed),
        Form::Worksheet => view,
    }
}

/// The hints asked for so far, and why the last entry was no answer.
fn before(page: &Checks, asked: &Asked, named: &dyn Fn(&str) -> String) -> Document {
    let hints = asked.hints.iter().take(page.hints).enumerate();
    let all = hints.fold(Document::new(), |all, (nth, hint)| {
        all.markdown(&format!("*Hint {}:* {}", nth + 1, named(hint)))
    });
    let unread = page.unread.iter().filter(|_| page.is_heard).map(|text| capital(text));
    let unread = unread.map(|text| doc::Row::new([Cell::text(text).role(Role::Warning)]).wrapped());
    all.rows(Rows::of(unread))
}

/// What came of the answer, and what is to be said of each option, where it stood.
fn answered(asked: &Asked, marked: &Marked, named: &dyn Fn(&str) -> String) -> Vec<doc::Row> {
    let (mark, word, role) = match marked.right {
        true => (Judged::Covered, "Right", Role::Good),
        false => (Judged::Missing, "Not right", Role::Missing),
    };
    let given = match asked.form {
        Form::Number { .. } if marked.right && marked.given.ends_with(&marked.correct) => {
            format!(": it is {}", marked.given)
        }
        Form::Number { .. } if marked.right => {
            format!(": you gave {}; it is {}", marked.given, marked.correct)
        }
        Form::Number { .. } => format!(": you gave {}; it should be {}", marked.given, marked.correct),
        Form::Claim => format!(": it is {}", marked.correct),
        _ => String::new(),
    };
    let head = Cell::mark(mark) + Cell::text(format!(" {word}{given}")).role(role);
    let mut rows = vec![doc::Row::new([head]).wrapped().said(format!("{word}{given}."))];
    let is_order = matches!(asked.form, Form::Order(_));
    if let (Some(slip), true) = (&marked.slip, marked.lines.is_empty() || is_order) {
        let text = capital(&plain(&named(slip)));
        let text = format!("  {}.", text.trim_end_matches('.'));
        rows.push(doc::Row::new([Cell::text(text)]).wrapped());
    }
    rows.push(doc::Row::default());
    rows.extend(marked.lines.iter().enumerate().map(|line| option(line, is_order, named)));
    rows
}

/// The rows as they are heard: of a choice that went wrong the right one comes first.
fn first_right(rows: &[doc::Row], marked: &Marked) -> Vec<doc::Row> {
    let mut rows = rows.to_vec();
    let first = rows.len() - marked.lines.len();
    if let Some(nth) = marked.lines.iter().position(|line| line.right) {
        let row = rows.remove(first + nth);
        let told = row.spoken();
        let text = told.strip_prefix("right: ").unwrap_or(&told);
        rows.insert(1, row.said(format!("The right one is {}: {text}", nth + 1)));
    }
    rows
}

/// An option or a step with its mark, whether it was one's own, and why it is right or not.
fn option((nth, line): (usize, &Line), is_order: bool, named: &dyn Fn(&str) -> String) -> doc::Row {
    let text = plain(&named(&line.text));
    let text = text.trim().trim_end_matches('.');
    let why = line.why.as_deref().map(|why| format!(" {}", plain(&named(why)))).unwrap_or_default();
    let is_yours = line.chosen && !is_order;
    let state = if line.right { "right" } else { "wrong" };
    let said = match (is_order, is_yours) {
        (true, _) => format!("{}. ", nth + 1),
        (false, false) => format!("{state}: "),
        (false, true) => format!("{state}, yours: "),
    };
    let yours = if is_yours { " (yours)" } else { "" };
    // what was rightly left alone is no fault
    let mark = match (line.right, line.chosen || is_order) {
        (true, _) => Judged::Covered,
        (false, true) => Judged::Missing,
        (false, false) => Judged::Untouched,
    };
    let name = Cell::text(format!("{text}{yours}."));
    let name = if is_yours || line.right { name.role(Role::Strong) } else { name };
    doc::Row::new([
        Cell::mark(mark) + Cell::text(format!(" {})", nth + 1)),
        name + Cell::text(&why).role(Role::Dim),
    ])
    .wrapped()
    .said(format!("{said}{text}.{why}"))
}

/// A short Markdown text in one line of words.
fn plain(text: &str) -> String {
    Document::parse(text).plain(usize::from(u16::MAX)).join(" ")
}

/// The rows of the key table that answer it.
pub(super) fn scopes(form: &Form, is_picked: bool) -> Vec<Scope> {
    match form {
        Form::Order(_) if is_picked => vec![Scope::CheckOrdered, Scope::CheckHint],
        Form::Order(_) => vec![Scope::CheckOrder, Scope::CheckHint],
        Form::Number { .. } => vec![Scope::CheckHint],
        _ => vec![Scope::CheckChoice, Scope::CheckHint],
    }
}

/// The answer that a chosen row gives at once; none where several are picked one by one, or it is typed.
pub(super) fn chosen(form: &Form, row: usize) -> Option<Answer> {
    match form {
        Form::Choice(_) => Some(Answer::Choice(row)),
        Form::Claim => Some(Answer::Claim(row == 0)),
        _ => None,
    }
}

/// The answer that a line gives, or what to type instead.
pub(super) fn answer(form: &Form, line: &str) -> Result<Answer, String> {
    let cure = |cure: &str| Err(format!("“{}” is not an answer here; {cure}.", short(line)));
    match form {
        Form::Choice(shown) => match place(line, shown.len()) {
            Some(place) => Ok(Answer::Choice(place)),
            None => cure(&format!("type a number from 1 to {}", shown.len())),
        },
        Form::Claim => match line.to_lowercase().trim_end_matches('.') {
            "1" | "true" | "t" => Ok(Answer::Claim(true)),
            "2" | "false" | "f" => Ok(Answer::Claim(false)),
            _ => cure("type 1 for true or 2 for false"),
        },
        Form::Order(shown) => match order(line, shown.len()) {
            Some(order) => Ok(Answer::Order(order)),
            None => cure(&format!("type each number from 1 to {} once, in the right order", shown.len())),
        },
        Form::Number { .. } => Ok(Answer::Number(line.to_owned())),
        Form::Worksheet => cure("fill in the worksheet"),
    }
}

/// A number from 1 to so many, as a place from 0.
fn place(word: &str, count: usize) -> Option<usize> {
    let number: usize = word.trim().trim_end_matches('.').parse().ok()?;
    (1..=count).contains(&number).then(|| number - 1)
}

/// Each number from 1 to so many once, as places from 0.
fn order(line: &str, count: usize) -> Option<Vec<usize>> {
    let words = line.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
    let order: Vec<usize> = words.map(|word| place(word, count)).collect::<Option<_>>()?;
    let mut each = order.clone();
    each.sort_unstable();
    each.dedup();
    (order.len() == count && each.len() == count).then_some(order)
}

/// The first words of what was typed.
fn short(line: &str) -> String {
    let mut chars = line.chars();
    let start: String = chars.by_ref().take(40).collect();
    if chars.next().is_some() { start + "…" } else { start }
}
