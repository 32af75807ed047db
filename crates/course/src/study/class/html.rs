//! Where a class stands as one page that needs nothing else: to print, to mail, to put on a screen.

use super::summary::Summary;
use crate::score::Verdict;
use crate::study::words::{percent, some};

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a}\
    h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}table{border-collapse:collapse;width:100%}\
    th,td{text-align:left;padding:.25rem .6rem;border-bottom:1px solid #ddd;vertical-align:top}\
    td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}q{color:#444}\
    @media print{body{margin:0;max-width:none}h2{break-after:avoid}tr{break-inside:avoid}}";

/// The page.
pub fn page(title: &str, summary: &Summary) -> String {
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>\
         <meta name=\"viewport\" content=\"width=device-width\"><style>{STYLE}</style></head><body>\n\
         <h1>{0}</h1>\n<p>{1}, {2}.</p>\n",
        text(title),
        some(summary.students.len(), "student"),
        some(summary.answers, "answer"),
    );
    out.push_str("<h2>Drills by parts</h2>\n");
    out.push_str(&heat(summary));
    section(
        &mut out,
        "Students",
        &["Student", "#Drills", "#Answers", "#Mean", "Weakest part"],
        students(summary),
    );
    section(
        &mut out,
        "Missed most",
        &["Drill", "Part", "What was asked", "#Students", "How one answer begins"],
        missed(summary),
    );
    section(
        &mut out,
        "False statements",
        &["Drill", "Words of one of them", "#Students"],
        falsehoods(summary),
    );
    section(
        &mut out,
        "Claimed by students, found by no rule",
        &["Student", "Drill", "Part", "Sentence"],
        claimed(summary),
    );
    section(
        &mut out,
        "Where marks differ",
        &["Student", "Drill", "Part", "Rules", "Student", "Judge", "Instructor"],
        differing(summary),
    );
    out.push_str("</body></html>\n");
    out
}

/// Characters that HTML takes for its own, written out.
fn text(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    for c in crate::doc::escape::line(raw).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

/// A table with its heading; nothing where there are no rows. Columns whose head begins with `#` hold numbers.
fn section(out: &mut String, title: &str, heads: &[&str], rows: Vec<Vec<String>>) {
    if rows.is_empty() {
        return;
    }
    let class = |n: usize| if heads.get(n).is_some_and(|h| h.starts_with('#')) { " class=\"n\"" } else { "" };
    let cells = |tag: &str, row: Vec<String>| -> String {
        row.iter().enumerate().map(|(n, cell)| format!("<{tag}{}>{}</{tag}>", class(n), text(cell))).collect()
    };
    let head = heads.iter().map(|h| h.trim_start_matches('#').to_owned()).collect();
    out.push_str(&format!(
        "<h2>{}</h2>\n<table><thead><tr>{}</tr></thead><tbody>\n",
        text(title),
        cells("th", head)
    ));
    for row in rows {
        out.push_str(&format!("<tr>{}</tr>\n", cells("td", row)));
    }
    out.push_str("</tbody></table>\n");
}

/// The map of drills by parts, as a picture: darker is better, and each cell says its number.
fn heat(summary: &Summary) -> String {
    const LEFT: usize = 260;
    const WIDE: usize = 110;
    const HIGH: usize = 26;
    let (wide, high) = (LEFT + WIDE * summary.parts.len(), HIGH * (summary.drills.len() + 1));
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide} {high}\" width=\"100%\" role=\"img\" \
         aria-label=\"Drills by parts, in per cent\" font-size=\"13\" font-family=\"system-ui,sans-serif\">\n"
    );
    for (n, part) in summary.parts.iter().enumerate() {
        let x = LEFT + n * WIDE + WIDE / 2;
        out.push_str(&format!("<text x=\"{x}\" y=\"17\" text-anchor=\"middle\">{}</text>\n", text(part)));
    }
    for (row, drill) in summary.drills.iter().enumerate() {
        let y = HIGH * (row + 1);
        out.push_str(&format!("<text x=\"0\" y=\"{}\">{}</text>\n", y + 17, text(&drill.drill)));
        for (n, share) in drill.parts.iter().enumerate() {
            let Some(share) = share else { continue };
            let x = LEFT + n * WIDE;
            let ink = if *share > 0.55 { "#fff" } else { "#111" };
            out.push_str(&format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\
                 <text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"{ink}\">{}</text>\n",
                WIDE - 2,
                HIGH - 2,
                colour(*share),
                x + WIDE / 2 - 1,
                y + 17,
                percent(*share),
            ));
        }
    }
    out.push_str("</svg>\n");
    out
}

/// From pale to dark blue: one hue, so that it prints grey and reads without colours.
fn colour(share: f64) -> String {
    let mix = |from: f64, to: f64| (from + (to - from) * share.clamp(0.0, 1.0)).round() as u8;
    format!("#{:02x}{:02x}{:02x}", mix(238.0, 24.0), mix(242.0, 78.0), mix(248.0, 140.0))
}

fn students(summary: &Summary) -> Vec<Vec<String>> {
    let rows = summary.students.iter().map(|s| {
        let weakest = s.weakest.clone().unwrap_or_default();
        vec![s.name.clone(), s.drills.to_string(), s.answers.to_string(), percent(s.mean), weakest]
    });
    rows.collect()
}

fn missed(summary: &Summary) -> Vec<Vec<String>> {
    let rows = summary.missed.iter().map(|m| {
        let says = m.says.clone().unwrap_or_else(|| m.point.clone());
        vec![m.drill.clone(), m.part.clone(), says, format!("{} of {}", m.students, m.of), m.words.clone()]
    });
    rows.collect()
}

fn falsehoods(summary: &Summary) -> Vec<Vec<String>> {
    let rows = summary.falsehoods.iter();
    rows.map(|f| vec![f.drill.clone(), f.words.clone(), f.students.to_string()]).collect()
}

fn claimed(summary: &Summary) -> Vec<Vec<String>> {
    let rows = summary.claimed.iter();
    rows.map(|c| vec![c.student.clone(), c.drill.clone(), c.part.clone(), c.sentence.clone()]).collect()
}

fn differing(summary: &Summary) -> Vec<Vec<String>> {
    let word = |verdict: Option<Verdict>| verdict.map(|v| v.name().to_owned()).unwrap_or_default();
    let rows = summary.differing.iter().map(|d| {
        vec![
            d.student.clone(),
            d.drill.clone(),
            d.part.clone(),
            word(Some(d.rules)),
            word(d.student_says),
            word(d.judge),
            word(d.instructor),
        ]
    });
    rows.collect()
}
