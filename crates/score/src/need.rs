//! What covers a part: how many of its points, and which.

use super::Point;

/// What a part needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Need {
    /// How many of its points; 0 where only the groups count.
    pub count: u32,
    /// Groups of points, of each of which some must be met.
    pub groups: Vec<Group>,
}

/// How far a part has come towards being covered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// So many points cover it.
    pub wanted: usize,
    /// So many of those were said.
    pub counted: usize,
}

/// Points of which some must be met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// How many.
    pub count: u32,
    /// Of these, by id.
    pub points: Vec<String>,
}

impl From<u32> for Need {
    fn from(count: u32) -> Need {
        Need { count, groups: Vec::new() }
    }
}

impl Group {
    /// Reads `a`, `a|b`, `2 of a|b|c`.
    ///
    /// # Errors
    /// What is wrong, and the cure.
    pub fn read(text: &str) -> Result<Group, (String, String)> {
        let (count, points) = match text.split_once(" of ") {
            Some((count, points)) => {
                let wrong =
                    || (format!("`{count}` is not a number of points"), "write `2 of a|b|c`".to_owned());
                (count.trim().parse::<u32>().map_err(|_| wrong())?, points)
            }
            None => (1, text),
        };
        let points: Vec<String> = points.split('|').map(|p| p.trim().to_owned()).collect();
        if points.iter().any(String::is_empty) {
            return Err(("a group has an empty id".to_owned(), "write point ids, parted by `|`".to_owned()));
        }
        if count == 0 || count as usize > points.len() {
            let what = format!("the group asks for {count} of {}", points.len());
            return Err((what, "ask for at least one, and for no more than there are".to_owned()));
        }
        Ok(Group { count, points })
    }
}

impl Need {
    /// What a part of so many points needs where its drill does not say. In format 2 a part of three points
    /// and more needs two of them.
    pub(super) fn of_points(points: usize, strict: bool) -> Need {
        Need::from(if strict && points >= 3 { 2 } else { 1 })
    }

    /// Whether points that are met are enough. `met` tells of each point, by its id.
    pub(super) fn is_met(&self, full: usize, met: impl Fn(&str) -> bool) -> bool {
        let group = |g: &Group| g.points.iter().filter(|p| met(p)).count() >= g.count as usize;
        full >= self.count as usize && full > 0 && self.groups.iter().all(group)
    }

    /// How many points it asks for in all.
    pub(super) fn wanted(&self) -> usize {
        let groups: u32 = self.groups.iter().map(|g| g.count).sum();
        self.count.max(groups).max(1) as usize
    }

    /// How many of these points count towards what it asks for: all of it where it is met, else less.
    pub(super) fn counted(&self, points: &[&str], met: impl Fn(&str) -> bool) -> usize {
        let full = points.iter().filter(|p| met(p)).count();
        if self.is_met(full, &met) {
            return self.wanted();
        }
        let grouped = |p: &&&str| self.groups.iter().any(|g| g.points.iter().any(|of| of == **p));
        let of_group = |g: &Group| g.points.iter().filter(|p| met(p)).count().min(g.count as usize);
        let needed: usize = self.groups.iter().map(|g| g.count as usize).sum();
        let others = points.iter().filter(|p| met(p) && !grouped(p)).count();
        let counted = self.groups.iter().map(of_group).sum::<usize>() + others.min(self.wanted() - needed);
        counted.min(self.wanted() - 1)
    }

    /// The points that a part still lacks, the essential ones first.
    pub(super) fn lacking<'a>(&self, points: &[&'a Point], met: impl Fn(&str) -> bool) -> Option<&'a Point> {
        let open = |g: &&Group| g.points.iter().filter(|p| met(p)).count() < g.count as usize;
        let group = self.groups.iter().find(open)?;
        points.iter().find(|p| group.points.contains(&p.id) && !met(&p.id)).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_read() {
        assert_eq!(Group::read("a|b"), Ok(Group { count: 1, points: vec!["a".into(), "b".into()] }));
        assert_eq!(Group::read("2 of a | b|c").map(|g| (g.count, g.points.len())), Ok((2, 3)));
        assert!(Group::read("3 of a|b").is_err());
        assert!(Group::read("a|").is_err());
        assert!(Group::read("x of a").is_err());
    }

    #[test]
    fn one_of_each_group_and_so_many_in_all() {
        let need = Need { count: 2, groups: vec![Group::read("bytes").unwrap()] };
        let of = |ids: &[&str]| need.is_met(ids.len(), |id| ids.contains(&id));
        assert!(of(&["bytes", "link"]));
        assert!(!of(&["bytes"]));
        assert!(!of(&["link", "overlap"]));
        let counted = |ids: &[&str]| need.counted(&["bytes", "link", "overlap"], |id| ids.contains(&id));
        assert_eq!(need.wanted(), 2);
        assert_eq!(counted(&["bytes", "link"]), 2);
        assert_eq!(counted(&["bytes"]), 1);
        assert_eq!(counted(&["link", "overlap"]), 1, "without the essential one two are not enough");
    }
}
