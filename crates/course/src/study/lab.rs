//! How far a lab is: it is done once it was predicted, run and compared; before that it was begun.

use serde::Deserialize;
use serde::de::IgnoredAny;

/// A lab that was begun: predicted, perhaps run, not all of it compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Begun {
    /// Whether it ran.
    pub has_run: bool,
    /// Predictions that are still to be compared.
    pub left: usize,
}

/// What is kept of the predictions of a lab, as far as it tells how far the lab is.
#[derive(Deserialize)]
struct Kept {
    said: Vec<String>,
    marks: Vec<Option<IgnoredAny>>,
    has_run: bool,
}

impl Begun {
    /// How far a lab is of which this is kept; none where nothing was predicted, or all of it is compared.
    pub fn of(kept: &str) -> Option<Self> {
        let kept: Kept = serde_json::from_str(kept).ok()?;
        let left = kept.marks.iter().filter(|mark| mark.is_none()).count();
        let is_begun = kept.has_run || kept.said.iter().any(|text| !text.trim().is_empty());
        (is_begun && left > 0).then_some(Begun { has_run: kept.has_run, left })
    }

    /// What is left to do: `2 to compare`.
    pub fn words(self) -> String {
        if self.has_run { format!("{} to compare", self.left) } else { "predicted, not run yet".to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lab_is_begun_until_all_of_it_is_compared() {
        let of = |said: &str, marks: &str, run: bool| {
            Begun::of(&format!(r#"{{"said":[{said}],"marks":[{marks}],"seen":[],"has_run":{run}}}"#))
        };
        assert_eq!(of("", "null,null", false), None);
        assert_eq!(
            of(r#""falls""#, "null,null", false).map(Begun::words),
            Some("predicted, not run yet".into())
        );
        assert_eq!(of(r#""falls",""#, "null,null", true), None, "what cannot be read is nothing");
        let half = of(r#""falls","""#, r#""Covered",null"#, true);
        assert_eq!(half.map(Begun::words), Some("1 to compare".into()));
        assert_eq!(of(r#""falls","""#, r#""Covered","Missing""#, true), None);
        assert_eq!(Begun::of(""), None);
    }
}
