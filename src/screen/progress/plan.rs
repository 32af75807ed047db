//! The plan until the interview: a day after the other, each task a place to go to.

use jiff::civil::Date;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::Progress;
use crate::doc::escape;
use crate::pack::Pack;
use crate::page::place::Place;
use crate::screen::Context;
use crate::screen::task::{self, MINUTES, today};
use crate::study::plan::{Plan, Task};
use crate::widget::wrap::{self, Hanging, Styled};

/// The plan, laid out.
#[derive(Debug, Default)]
pub struct Laid {
    /// The rows.
    pub rows: Vec<Line<'static>>,
    /// The tasks: the row of each, and where it is done.
    pub tasks: Vec<(usize, Option<Place>)>,
    /// The first task of today that is not done.
    pub next: usize,
}

/// The rows of the plan, or how to get one.
pub fn rows(screen: &Progress, width: u16, context: &Context) -> Laid {
    let theme = context.theme;
    let say = |text: &str| Laid { rows: paragraph(text, theme.dim, width), ..Laid::default() };
    let Some(date) = screen.interview else {
        return say("No date yet. i sets the date of your interview, and a plan for each day stands here.");
    };
    let index = screen.pack();
    let Some(pack) = context.library.packs.get(index) else {
        return Laid::default();
    };
    let planned = task::of_today(context).filter(|_| index == 0);
    let plan = match planned {
        Some(_) => task::rest(context),
        None => task::plan(index, date, context),
    };
    let Some(plan) = plan else {
        return Laid::default();
    };
    if plan.days.is_empty() && planned.is_none() {
        return match (date - today(context)).get_days() {
            days if days < 0 => say("That day is over. i sets another date, or clears it."),
            _ => say("That is more than a year away; there is a plan from one year on."),
        };
    }
    let mut laid = Laid::default();
    if let Some(tasks) = planned {
        laid.next = tasks.iter().position(|(_, done, _)| !done).unwrap_or(0);
        day_rows((today(context), date), tasks, (width, &mut laid), (pack, context));
    }
    for day in &plan.days {
        let place = |of: &Task| task::place(of, index, &plan.left_out, context);
        let tasks = day.tasks.iter().map(|of| (of.clone(), false, place(of)));
        day_rows((day.date, date), tasks.collect(), (width, &mut laid), (pack, context));
    }
    let chosen = screen.task.min(laid.tasks.len().saturating_sub(1));
    if let Some((row, _)) = laid.tasks.get(chosen)
        && let Some(lead) = laid.rows.get_mut(*row).and_then(|l| l.spans.first_mut())
    {
        *lead = Span::styled(format!("  {} ", theme.glyphs.pointer), theme.accent);
    }
    laid.rows.extend(left_out(&plan, pack, width, context));
    laid
}

/// A day with its tasks; those that are done have a mark.
fn day_rows(
    (day, interview): (Date, Date),
    tasks: Vec<(Task, bool, Option<Place>)>,
    (width, laid): (u16, &mut Laid),
    (pack, context): (&Pack, &Context),
) {
    let theme = context.theme;
    let (name, style) = match (day - today(context)).get_days() {
        0 => ("Today, ", theme.heading),
        1 => ("Tomorrow, ", theme.text),
        _ => ("", theme.text),
    };
    let last = if day == interview { ", the interview" } else { "" };
    let left = tasks.iter().filter(|(_, done, _)| !done);
    let minutes = match left.map(|(of, ..)| of.minutes()).sum::<u32>() {
        0 => "done".to_owned(),
        minutes => format!("{minutes} min"),
    };
    laid.rows.push(Line::from(vec![
        Span::styled(format!("{name}{}{last}", day.strftime("%a %Y-%m-%d")), style),
        Span::styled(format!("   {minutes}"), theme.dim),
    ]));
    for (of, done, place) in tasks {
        laid.tasks.push((laid.rows.len(), place));
        let (lead, style) = match done {
            true => (format!("  {}", theme.glyphs.good), theme.good),
            false => (format!("{:>3} min", of.minutes()), theme.dim),
        };
        let line = Line::from(vec![
            Span::raw("    "),
            Span::styled(format!("{lead:<9}"), style),
            Span::styled(escape::line(&of.sentence(pack)).into_owned(), theme.text),
        ]);
        laid.rows.push(wrap::cut_line(&line, width.into(), theme.glyphs.continued));
    }
}

fn left_out(plan: &Plan, pack: &Pack, width: u16, context: &Context) -> Vec<Line<'static>> {
    if plan.left_out.is_empty() {
        return Vec::new();
    }
    let titles: Vec<&str> =
        plan.left_out.iter().map(|id| pack.lesson(id).map_or(id.as_str(), |l| &l.title)).collect();
    let text = format!("At {MINUTES} minutes a day there is no time for: {}.", titles.join("; "));
    let mut rows = vec![Line::default()];
    rows.extend(paragraph(&escape::line(&text), context.theme.warning, width));
    rows
}

fn paragraph(text: &str, style: Style, width: u16) -> Vec<Line<'static>> {
    Styled::from_text(text, style).wrap(&Hanging::none(), width.into())
}
