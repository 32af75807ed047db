//! Two texts line by line: what stands in one of them alone.

/// More pairs of lines than this are not compared one by one.
const MOST: usize = 1_000_000;

/// A line of the text as it was, or of the text as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line<'a> {
    /// In both.
    Both(&'a str),
    /// In the first alone, with its number there, from 1.
    Gone(usize, &'a str),
    /// In the second alone, with its number there, from 1.
    New(usize, &'a str),
}

/// The lines of both in their order; where some take the place of others, those that are gone come first. White space at
/// the end of a line does not count.
pub fn compared<'a>(before: &'a str, after: &'a str) -> Vec<Line<'a>> {
    let lines = |text: &'a str| text.trim_end().lines().map(str::trim_end).collect::<Vec<_>>();
    let (old, new) = (lines(before), lines(after));
    let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - same;
    let tail = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let mut all: Vec<Line> = old[..same].iter().map(|line| Line::Both(line)).collect();
    middle(&old[same..old.len() - tail], &new[same..new.len() - tail], same, &mut all);
    all.extend(old[old.len() - tail..].iter().map(|line| Line::Both(line)));
    all
}

/// What is between the lines that begin and end both.
fn middle<'a>(old: &[&'a str], new: &[&'a str], first: usize, all: &mut Vec<Line<'a>>) {
    let gone = |at: usize| Line::Gone(first + at + 1, old[at]);
    let added = |at: usize| Line::New(first + at + 1, new[at]);
    if old.len().saturating_mul(new.len()) > MOST {
        all.extend((0..old.len()).map(gone));
        all.extend((0..new.len()).map(added));
        return;
    }
    // the longest run of common lines from each pair of places on
    let width = new.len() + 1;
    let mut common = vec![0_u32; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            common[i * width + j] = match old[i] == new[j] {
                true => common[(i + 1) * width + j + 1] + 1,
                false => common[(i + 1) * width + j].max(common[i * width + j + 1]),
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            all.push(Line::Both(old[i]));
            (i, j) = (i + 1, j + 1);
        } else if i < old.len()
            && (j == new.len() || common[(i + 1) * width + j] >= common[i * width + j + 1])
        {
            all.push(gone(i));
            i += 1;
        } else {
            all.push(added(j));
            j += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_line_that_takes_the_place_of_another_stands_after_it_with_its_number() {
        use Line::{Both, Gone, New};
        let lines = compared("a\nb\nc\n", "a\nB\nc  \nd");
        assert_eq!(lines, [Both("a"), Gone(2, "b"), New(2, "B"), Both("c"), New(4, "d")]);
        assert_eq!(compared("a\n", "a"), [Both("a")]);
        assert_eq!(compared("", "x"), [New(1, "x")]);
    }

    proptest! {
        #[test]
        fn each_side_has_its_own_lines_in_their_order(
            a in proptest::collection::vec("[abc]", 0..12),
            b in proptest::collection::vec("[abc]", 0..12),
        ) {
            let (a, b) = (a.join("\n"), b.join("\n"));
            let lines = compared(&a, &b);
            let side = |is_new: bool| {
                let of = |line: &Line| match line {
                    Line::Both(text) => Some((*text).to_owned()),
                    Line::Gone(_, text) => (!is_new).then(|| (*text).to_owned()),
                    Line::New(_, text) => is_new.then(|| (*text).to_owned()),
                };
                lines.iter().filter_map(of).collect::<Vec<_>>().join("\n")
            };
            prop_assert_eq!(&side(false), &a);
            prop_assert_eq!(&side(true), &b);
        }
    }
}
