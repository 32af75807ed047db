//! The plan until the interview, in rows.

use jiff::civil::Date;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{Progress, today};
use crate::pack::Pack;
use crate::screen::Context;
use crate::study::plan::{self, DayPlan, Plan};
use crate::widget::wrap::{Hanging, Styled};

/// Minutes a day that the plan reckons with.
const MINUTES: u32 = 60;

/// How far away the interview is, in words.
pub fn ahead(date: Date, today: Date) -> String {
    match (date - today).get_days() {
        0 => "interview today".into(),
        1 => "interview tomorrow".into(),
        days if days < 0 => format!("interview was on {date}"),
        days => format!("interview in {days} days"),
    }
}

/// The rows of the plan, or how to get one.
pub fn rows(screen: &Progress, width: u16, context: &Context) -> Vec<Line<'static>> {
    let theme = context.theme;
    let say = |text: &str| paragraph(text, theme.dim, width);
    let Some(date) = screen.interview else {
        return say("No date yet. i sets the date of your interview, and a plan for each day stands here.");
    };
    let pack = screen.lesson().map_or(0, |(pack, _)| pack);
    let Some((pack, home)) = context.library.packs.get(pack).zip(context.memory.home(pack)) else {
        return Vec::new();
    };
    let plan = plan::plan(pack, home, (today(context), date), MINUTES);
    if plan.days.is_empty() {
        return match (date - today(context)).get_days() {
            days if days < 0 => say("That day is over. i sets another date, or clears it."),
            _ => say("That is more than a year away; there is a plan from one year on."),
        };
    }
    let mut rows = left_out(&plan, pack, width, context);
    rows.extend(
        plan.days
            .iter()
            .flat_map(|day| day_rows(day, pack, width, context)),
    );
    rows
}

fn left_out(plan: &Plan, pack: &Pack, width: u16, context: &Context) -> Vec<Line<'static>> {
    if plan.left_out.is_empty() {
        return Vec::new();
    }
    let titles: Vec<&str> = plan
        .left_out
        .iter()
        .map(|id| pack.lesson(id).map_or(id.as_str(), |l| &l.title))
        .collect();
    let text = format!(
        "At {MINUTES} minutes a day there is no time for: {}.",
        titles.join("; ")
    );
    paragraph(&text, context.theme.warning, width)
}

fn day_rows(day: &DayPlan, pack: &Pack, width: u16, context: &Context) -> Vec<Line<'static>> {
    let theme = context.theme;
    let tasks: Vec<String> = day.tasks.iter().map(|t| t.sentence(pack)).collect();
    let lead = format!("{}  {:>3} min  ", day.date.strftime("%a %Y-%m-%d"), day.minutes());
    let style = if day.date == today(context) {
        theme.accent
    } else {
        theme.dim
    };
    let text = Styled::from_text(&tasks.join("; "), theme.text);
    text.wrap(&Hanging::under(Span::styled(lead, style)), width.into())
}

fn paragraph(text: &str, style: Style, width: u16) -> Vec<Line<'static>> {
    Styled::from_text(text, style).wrap(&Hanging::none(), width.into())
}
