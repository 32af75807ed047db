//! A simulator as a verb prints it: its settings, its numbers, the last step of each picture, its questions.

use crate::doc::{Cell, Role};
use crate::page::view::{Row, View};
use crate::sim::picture;
use crate::sim::{Answer, Output, Question, Results, Sim};

use super::sentence;
use super::typed::heard;

/// All of it.
pub fn view(sim: &Sim) -> View {
    let run = sim.run();
    let kind = sim.kind();
    let view = View::new().title(kind.title).words(kind.about).title("Settings").list(settings(sim, &run));
    let view = run.notes.iter().fold(view, |view, note| view.words(&format!("Note: {note}")));
    let view = view.title("Results").list(run.outputs.iter().map(result));
    let view = run.views.iter().fold(view, shown);
    match run.questions.is_empty() {
        true => view,
        false => view.title("Predict").list(run.questions.iter().enumerate().flat_map(asked)),
    }
}

fn settings<'a>(sim: &'a Sim, run: &'a Results) -> impl Iterator<Item = Row> + 'a {
    sim.knobs().map(|(parameter, value)| {
        let adjusted = run.adjusted.iter().find(|a| a.knob == parameter.name);
        let taken = adjusted.map_or_else(String::new, |a| format!(", taken as {}", parameter.show(a.taken)));
        let set = format!("{} = {}{taken}", parameter.name, parameter.show(value));
        let said = format!("{}{taken}", heard(parameter.name, parameter, value, Some(parameter.help)));
        Row::plain().cell(Cell::text(set)).cell(Cell::text(parameter.help).role(Role::Dim)).said(said)
    })
}

fn result(output: &Output) -> Row {
    let row = Row::plain()
        .cell(Cell::text(output.show()).role(Role::Strong))
        .cell(Cell::text(output.label))
        .cell(Cell::text(output.name).role(Role::Dim))
        .said(format!("{}: {}", output.label, output.show()));
    match &output.expression {
        Some(expression) => row.cell(Cell::text(format!("= {expression}")).role(Role::Dim)),
        None => row,
    }
}

fn shown(view: View, of: &picture::View) -> View {
    let frame = of.last();
    view.title(of.title).words(&sentence(&frame.caption)).with(|body| body.picture(frame.picture))
}

fn asked((at, question): (usize, &Question)) -> Vec<Row> {
    let mut rows = vec![Row::plain().cell(Cell::text(format!("{}. {}", at + 1, question.ask))).wrapped()];
    if let Answer::Choice { options, .. } = &question.answer {
        let option = |(nth, option): (usize, &String)| {
            let said = format!(
                "Choice {}: {option}",
                char::from(b'a'.saturating_add(u8::try_from(nth).unwrap_or(25)))
            );
            Row::plain().cell(Cell::text(format!("   {}) {option}", nth + 1))).said(said).wrapped()
        };
        rows.extend(options.iter().enumerate().map(option));
    }
    rows
}
