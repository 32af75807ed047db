//! Which sections of a lesson were read: those that were seen whole, and gone on from.

use super::cards::Fence;
use super::*;
use crate::store::sections_key;
use crate::study::duration;

/// A section of the text: what stands under one of its headings.
#[derive(Debug)]
pub(super) struct Section {
    title: String,
    /// Which part of the lesson it belongs to, as it is heard.
    part: usize,
    words: usize,
}

/// The sections of a Markdown text, without those that hold nothing of their own.
pub(super) fn sections(markdown: &str) -> Vec<Section> {
    let mut out: Vec<Section> = Vec::new();
    let (mut parts, mut fence) = (0_usize, Fence::default());
    for line in markdown.lines() {
        let is_code = fence.holds(line);
        let heading = |mark: &str| line.strip_prefix(mark).filter(|_| !is_code);
        parts += usize::from(heading("## ").is_some());
        if let Some(title) = heading("## ").or_else(|| heading("### ")) {
            let (title, part) = (title.trim().to_owned(), parts.saturating_sub(1));
            out.push(Section { title, part, words: 0 });
        } else if let Some(section) = out.last_mut() {
            section.words += line.split_whitespace().count();
        }
    }
    let last = out.len().saturating_sub(1);
    let own = out.into_iter().enumerate().filter(|(nth, section)| *nth == last || section.words > 0);
    own.map(|(_, section)| section).collect()
}

/// The numbers that are kept.
pub(super) fn kept(text: &str) -> BTreeSet<usize> {
    text.split_whitespace().filter_map(|number| number.parse().ok()).collect()
}

impl Lesson {
    /// Whether a section was read.
    pub fn is_read(&self, section: usize) -> bool {
        self.is_done || self.gone.contains(&section)
    }

    /// Minutes of so many that are left to be read; none once all of it was.
    pub fn left_to_read(&self, minutes: u32) -> u32 {
        let seen = u32::try_from(self.seen).unwrap_or(100);
        if self.is_done { 0 } else { duration::to_read(minutes, seen) }
    }

    /// What of it was not read: `3 of 11 sections, the first is “Key terms”`; nothing once all of it was.
    pub fn unread(&self) -> Option<String> {
        let all = self.sections.len();
        let open: Vec<&Section> = (self.sections.iter().enumerate())
            .filter(|(nth, _)| !self.is_read(*nth))
            .map(|(_, section)| section)
            .collect();
        let first = &open.first()?.title;
        Some(match open.len() {
            1 => format!("“{first}”"),
            left if left == all => "all of its sections".to_owned(),
            left => format!("{left} of {all} sections, the first is “{first}”"),
        })
    }

    /// These sections were read. Once all were, the lesson is.
    pub fn read_sections(&mut self, sections: impl IntoIterator<Item = usize>, at: &mut At) {
        let before = self.gone.len();
        let all = self.sections.len();
        self.gone.extend(sections.into_iter().filter(|section| *section < all));
        if self.is_done || self.gone.len() == before {
            return;
        }
        self.keep_sections(at);
        if self.gone.len() == all {
            self.mark(true, at);
        }
    }

    /// Keeps which sections were read, and how much of the lesson that is.
    pub(super) fn keep_sections(&mut self, at: &mut At) {
        let numbers: Vec<String> = self.gone.iter().map(usize::to_string).collect();
        let mut keep = |key: String, value: String| {
            let kept = at.services.keep(Record::Setting(key.into(), value), at.now);
            kept.said().into_iter().for_each(|text| at.say(text));
        };
        keep(sections_key(&self.pack_id, &self.id), numbers.join(" "));
        let words = |section: &Section| section.words;
        let whole: usize = self.sections.iter().map(words).sum();
        let read: usize = self.gone.iter().filter_map(|nth| self.sections.get(*nth)).map(words).sum();
        let share = read * 100 / whole.max(1);
        if share > self.seen || self.gone.is_empty() {
            self.seen = share;
            keep(seen_key(&self.pack_id, &self.id), share.to_string());
        }
    }

    /// A card was heard; with the last one of a part its sections were.
    pub(super) fn hear(&mut self, cards: impl IntoIterator<Item = (usize, usize)>, at: &mut At) {
        for (part, card) in cards {
            self.heard.insert((part, card));
            let all = self.parts.get(part).map_or(0, |of| of.cards.len());
            if (0..all).all(|card| self.heard.contains(&(part, card))) {
                let of = self.sections.iter().enumerate().filter(|(_, section)| section.part == part);
                let of: Vec<usize> = of.map(|(nth, _)| nth).collect();
                self.read_sections(of, at);
            }
        }
    }

    /// Whether all of a part was read, in whichever way.
    pub(super) fn is_part_read(&self, part: usize) -> bool {
        let of = self.sections.iter().enumerate().filter(|(_, section)| section.part == part);
        of.into_iter().all(|(nth, _)| self.is_read(nth))
    }

    /// What comes after reading, and what it is called: what of the lesson is not done yet, else the next lesson.
    pub fn onward(&self, at: &At) -> (Action, &'static str) {
        let found = at.services.pack(self.pack).and_then(|pack| Some((pack, pack.lesson(&self.id)?)));
        let home = at.services.home(self.pack, at.now).ok();
        let Some((pack, lesson)) = found else { return (Action::NextPage, "the next lesson") };
        let done = home.as_ref().and_then(|home| home.lessons.get(&self.id));
        let labs = done.map_or(0, |done| done.labs.len());
        let checks = done.map_or(0, |done| done.checks as usize);
        let is_answered = |id: &str| home.as_ref().is_some_and(|home| home.answered.contains_key(id));
        if lesson.labs.len() > labs {
            (Action::Lab, "the lab")
        } else if pack.checks_of(&self.id).count() > checks {
            (Action::Checks, "the checks")
        } else if pack.drills_of(&self.id).any(|drill| !is_answered(&drill.id)) {
            (Action::Drill, "a drill")
        } else {
            (Action::NextPage, "the next lesson")
        }
    }
}
