//! Limits on what a model asks for, checked before work that grows faster than the text: a few lines can declare
//! millions of elements by inheritance. `docs/limits.md` lists them.

use crate::document::Diagnostics;
use crate::source::Span;

use super::super::{Attributes, ElementId, Kind, Model};
use super::Reader;

/// The most releases of a calendar: every group has a row for each.
pub(super) const MOST_RELEASES: u32 = 1_000;

/// The most letters of a release's name: symbolic releases repeat their origin, and answers repeat names.
pub(super) const LONGEST_NAME: usize = 100;

/// The most lives of an element, stages of a gate, and repeated deprecations: each is judged with all others.
pub(super) const MOST_REPEATED: usize = 100;

/// The most exceptions: the notes of each release repeat those that hold.
pub(super) const MOST_EXCEPTIONS: usize = 1_000;

/// The most paths of schemas, and the most webhooks: each path is a folder to list, and a webhook may convert any kind.
pub(super) const MOST_NAMED: usize = 1_000;

/// The most gates that all gates together depend on: each may be several findings.
const MOST_DEPENDENCIES: usize = 20_000;

/// The most pairs of lives among the versions of groups and of kinds that a text of any length may have: any of them
/// may succeed any other. Each entry of the text adds [`PAIRS_OF_ENTRY`].
const MOST_PAIRS: usize = 2_000_000;

const PAIRS_OF_ENTRY: usize = 16;

/// Of so few lives, pairs are not counted: their number is proportional to that of the lives.
const FEW_LIVES: usize = 16;

/// How many pairs a version counts for that represents what another one has: each is an obligation of two events.
const OF_REPRESENTED: usize = 4;

/// The most bytes of elements that a text of any length may declare: ids, inherited texts, and [`OF_ELEMENT`] each.
const MOST_BYTES: usize = 64 << 20;

/// What an element takes besides its texts.
const OF_ELEMENT: usize = 256;

/// How many bytes of elements each entry of the text adds to [`MOST_BYTES`].
const OF_ENTRY: usize = 512;

/// The most cells of timelines that a text of any length may ask for; each entry of the text adds [`CELLS_OF_ENTRY`].
const MOST_CELLS: usize = 16_000_000;

const CELLS_OF_ENTRY: usize = 16;

/// What a release of a group takes besides a cell for each version and for each kind in a version.
const CELLS_OF_ROW: usize = 16;

/// What the entries read so far ask for.
#[derive(Debug, Default)]
pub(super) struct Spent {
    pairs: usize,
    bytes: usize,
    dependencies: usize,
    /// Whether a limit is exceeded: the rest of the model is not read.
    pub(super) is_too_much: bool,
}

impl Reader<'_> {
    /// Counts an element to be added.
    pub(super) fn spend_on(&mut self, id: usize, attributes: Option<&Attributes>, span: Span) {
        self.spent.bytes += OF_ELEMENT + id + attributes.map_or(0, size);
        let most = MOST_BYTES + self.entries * OF_ENTRY;
        if self.spent.bytes > most && !self.spent.is_too_much {
            let message = format!(
                "the model has too many elements: {} of them, with their ids and texts, take more than {} MB",
                self.model.elements.len(),
                most >> 20
            );
            let help = "list in `versions` and `in` the versions that have a kind or field, or split the model";
            self.refuse(span, message, help);
        }
    }

    /// Counts the pairs of lives of the versions of a group, or of a kind.
    pub(super) fn spend_on_pairs(&mut self, name: &str, versions: &[Option<ElementId>], span: Span) {
        let lives = versions
            .iter()
            .flatten()
            .map(|element| usize::from(self.model.lives(*element)));
        let lives: usize = lives.sum();
        if lives > FEW_LIVES {
            self.spend_pairs(name, lives.saturating_mul(lives), span);
        }
    }

    /// The same for a kind, and the pairs of versions of which one represents what the other has.
    pub(super) fn spend_on_kind(&mut self, kind: &Kind, span: Span) {
        self.spend_on_pairs(&kind.name, &kind.versions, span);
        let members = kind.members.iter();
        let represented = members.map(|member| member.represented.len() * member.versions.iter().flatten().count());
        let represented: usize = represented.sum();
        if represented > FEW_LIVES {
            self.spend_pairs(&kind.name, represented.saturating_mul(OF_REPRESENTED), span);
        }
    }

    /// Counts the gates that a gate depends on.
    pub(super) fn spend_on_dependencies(&mut self, count: usize, span: Span) {
        self.spent.dependencies += count;
        if self.spent.dependencies > MOST_DEPENDENCIES && !self.spent.is_too_much {
            let message = format!("the gates have more than {MOST_DEPENDENCIES} dependencies");
            self.refuse(
                span,
                message,
                "leave out what other dependencies imply, or split the model",
            );
        }
    }

    fn spend_pairs(&mut self, name: &str, pairs: usize, span: Span) {
        self.spent.pairs = self.spent.pairs.saturating_add(pairs);
        let most = MOST_PAIRS + self.entries * PAIRS_OF_ENTRY;
        if self.spent.pairs > most && !self.spent.is_too_much {
            let message = format!(
                "the model has too many versions: with those of `{name}` there are {} pairs of versions to judge, more \
                 than {most}",
                self.spent.pairs
            );
            self.refuse(
                span,
                message,
                "leave out versions that were removed long ago, or split the model",
            );
        }
    }

    /// Counts the versions that a part of a kind may be in.
    pub(super) fn spend_on_slots(&mut self, versions: usize) {
        self.spent.bytes += versions * size_of::<Option<ElementId>>();
    }

    fn refuse(&mut self, span: Span, message: String, help: &str) {
        self.spent.is_too_much = true;
        self.diagnostics.at("too-many", span, message, help);
    }
}

/// The bytes of the texts of an entry.
fn size(attributes: &Attributes) -> usize {
    let references = [&attributes.replacement, &attributes.gated_by];
    let texts = [&attributes.warning, &attributes.help, &attributes.default];
    let names = [&attributes.owner, &attributes.tracking];
    let references = references.into_iter().flatten().map(|reference| reference.text.len());
    let texts = texts.into_iter().flatten().map(|text| text.text.len());
    let names = names.into_iter().flatten().map(|name| name.len());
    references.chain(texts).chain(names).sum()
}

/// Whether the timelines of a model are too large; `entries` is the size of its text.
pub(super) fn has_too_many_cells(model: &Model, entries: usize, diagnostics: &mut Diagnostics) -> bool {
    let releases = usize::try_from(model.calendar.listed()).unwrap_or(usize::MAX);
    let rows = model.groups.iter().map(|group| {
        let kinds = group.kinds.iter().flat_map(|kind| kind.versions.iter().flatten());
        CELLS_OF_ROW + group.versions.len() + kinds.count()
    });
    let cells = releases.saturating_mul(rows.sum());
    let most = MOST_CELLS + entries * CELLS_OF_ENTRY;
    if cells > most {
        let message = format!(
            "{releases} releases of {} groups make timelines of {cells} cells, more than {most}",
            model.groups.len()
        );
        let help = "leave out old releases, or kinds of removed versions, or split the model";
        diagnostics.at("too-many", model.calendar_places.list, message, help);
    }
    cells > most
}

/// Whether a list is longer than allowed, which is an error.
pub(super) fn is_too_long(what: &str, count: usize, most: usize, span: Span, diagnostics: &mut Diagnostics) -> bool {
    if count > most {
        let message = format!("{count} {what}, more than {most}");
        diagnostics.at("too-many", span, message, format!("write the {what} that matter"));
    }
    count > most
}
