//! The page of what every rubric knows without being told, `docs/words.md`: made from what the scorer reads.

use std::fmt::Write;

use crate::score::{Concept, SIGNS, plain_claims, plain_concepts};
use crate::sim::quantity::{self, Dimension};

const INTRO: &str = "# What every rubric knows

This page is made by the program: `infralens pack words` prints it. How these are used in patterns is in
[writing-rubrics.md](writing-rubrics.md). `infralens concept ID` prints the words of one concept together with those that a pack adds.

";

/// The page.
pub fn words() -> String {
    let mut page = INTRO.to_owned();
    signs(&mut page);
    units(&mut page);
    claims(&mut page);
    concepts(&mut page);
    page
}

// writing to a string cannot fail

fn signs(page: &mut String) {
    page.push_str(
        "## Signs\n\nA sign is read as words, so a pattern asks for the words. A bracket, a quote and a line end are nothing.\n\n\
         | sign | written | read as | in a pattern |\n|---|---|---|---|\n",
    );
    for (sign, example, heard, means) in SIGNS {
        let _ = writeln!(page, "| {sign} | {} | {heard} | {means} |", example.replace('|', "\\|"));
    }
    page.push('\n');
}

fn units(page: &mut String) {
    page.push_str(
        "## Units\n\nA number check may ask for any of these, and reads any other of the same kind. For a unit that is not here, such as tokens, the number\n\
         alone is read. In patterns `#B` is any number of bytes, `#B/s` one of bytes or bits a second, `#s` of time, `#%` of per cent, `#x` of times.\n\n\
         | kind | units, with other spellings |\n|---|---|\n",
    );
    let kinds = [
        ("bytes", Dimension::Bytes),
        ("time", Dimension::Seconds),
        ("bytes or bits a second", Dimension::ByteRate),
        ("operations", Dimension::Flop),
        ("operations a second", Dimension::FlopRate),
        ("share", Dimension::Share),
        ("count", Dimension::Count),
    ];
    for (kind, dimension) in kinds {
        let of = quantity::units().filter(|(unit, _)| unit.dimension == dimension);
        let of = of.map(|(unit, others)| match others.is_empty() {
            true => format!("`{}`", unit.name),
            false => format!("`{}` ({})", unit.name, others.join(", ")),
        });
        let _ = writeln!(page, "| {kind} | {} |", of.collect::<Vec<_>>().join(", "));
    }
    page.push('\n');
}

fn claims(page: &mut String) {
    page.push_str(
        "## Claims\n\nWritten `id(x, y)`. Each is stated by any of its patterns; those that state its contrary make a sentence false wherever a point claims it.\n\n",
    );
    for claim in plain_claims() {
        let gaps = ["{x}", "{y}", "{z}"];
        let uses = |gap: &&str| claim.says.contains(*gap) || claim.matches.iter().any(|m| m.contains(*gap));
        let gaps: Vec<&str> =
            gaps.iter().filter(|gap| uses(gap)).map(|gap| gap.trim_matches(['{', '}'])).collect();
        let _ = writeln!(page, "### `{}({})`\n\n{}\n", claim.id, gaps.join(", "), claim.says);
        let swap = if claim.swap { " It is false with x and y exchanged." } else { "" };
        let list = |patterns: &[String]| patterns.iter().map(|p| format!("    {p}\n")).collect::<String>();
        let _ = write!(page, "Stated by:{swap}\n\n{}\n", list(&claim.matches));
        if !claim.contrary.is_empty() {
            let _ = write!(page, "Its contrary:\n\n{}\n", list(&claim.contrary));
        }
    }
}

fn concepts(page: &mut String) {
    page.push_str(
        "## Words\n\nPlain English that every pack has, written `@id`. Any form of a word is read. A pack adds to a concept by giving the same id, and with `replaces = true` it puts its words in place of these: where *test* is the subject of the field, `@measure` may mean less.\n\n\
         | concept | contrary | words |\n|---|---|---|\n",
    );
    let all = plain_concepts();
    let mut sorted: Vec<&Concept> = all.iter().collect();
    sorted.sort_by(|a, b| a.id.cmp(&b.id));
    for concept in sorted {
        let of = concept.opposite.as_deref();
        let to = all.iter().find(|c| c.opposite.as_deref() == Some(&concept.id)).map(|c| c.id.as_str());
        let contrary = of.or(to).map_or(String::new(), |id| format!("`@{id}`"));
        let words: Vec<String> =
            concept.words.iter().map(|w| w.replace('"', "").replace('|', "\\|")).collect();
        let _ = writeln!(page, "| `@{}` | {contrary} | {} |", concept.id, words.join(", "));
    }
}
