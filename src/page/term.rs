//! A term with its definition.

use super::keys::Scope;
use super::place::Place;
use super::view::{Row, View};
use super::{Act, At, Next, Page};
use crate::doc::{Cell, Role};
use crate::pack::prose;
use crate::services::Services;

/// A term of a pack.
pub struct Term {
    pack: usize,
    id: String,
    name: String,
}

impl Term {
    /// The term with this id of the pack with this index.
    ///
    /// # Errors
    /// Where the pack has no such term.
    pub fn open(pack: usize, id: &str, services: &Services) -> Result<Self, String> {
        let term = services.pack(pack).and_then(|p| p.term(id));
        let term = term.ok_or_else(|| format!("this pack has no term `{id}`"))?;
        Ok(Term { pack, id: id.to_owned(), name: term.name.clone() })
    }
}

impl Page for Term {
    fn title(&self, _: &Services) -> Vec<String> {
        vec![self.name.clone()]
    }

    fn scopes(&self) -> Vec<Scope> {
        Vec::new()
    }

    fn view(&self, at: &At) -> View {
        let view = View::new().of_pack(self.pack);
        let Some(pack) = at.services.pack(self.pack) else { return view };
        let Some(term) = pack.term(&self.id) else { return view };
        let row = |lead: &str, name: &str, place| {
            Row::to(place).cell(Cell::text(lead).role(Role::Dim) + Cell::text(name))
        };
        let others = term.related.iter().filter_map(|id| pack.term(id)).map(|other| {
            row("See also: ", &other.name, Place::Term { pack: self.pack, id: other.id.clone() })
        });
        let lesson = term.lesson.as_deref().and_then(|id| pack.lesson(id)).map(|lesson| {
            row("Taught in: ", &lesson.title, Place::Lesson { pack: self.pack, id: lesson.id.clone() })
        });
        view.markdown(&pack.named(&prose::definition(term))).list(others.chain(lesson))
    }

    fn act(&mut self, _: Act, _: &mut At) -> Next {
        Next::Stay
    }

    fn is_popup(&self) -> bool {
        true
    }
}
