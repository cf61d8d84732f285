//! Consecutive releases in which a group serves the same.

use crate::report::{GroupReport, Moment, ReleaseReport, ReleaseSpan};

/// The releases of a group in which something changes: all, or those from `first` on, of which the first one stands for
/// what is served then. Without the past, changes of single kinds are left out too.
pub(super) fn folded<'a>(group: GroupReport<'a>, first: Option<Moment<'a>>) -> Vec<ReleaseSpan<'a>> {
    let mut spans: Vec<ReleaseSpan<'a>> = Vec::new();
    let with_kinds = first.is_none();
    let mut reached = first.is_none();
    for row in group.releases {
        let is_first = first.is_some_and(|first| first.release == row.release);
        reached |= is_first;
        match spans.last_mut() {
            Some(last) if is_same(&last.first, &row, with_kinds) && (row.notes.is_empty() || !with_kinds) => {
                last.last = Some(row.release);
            }
            _ if !reached || is_first => spans = vec![span(row)],
            _ => spans.push(span(row)),
        }
    }
    if let Some(last) = spans.last_mut() {
        (last.last, last.open) = (None, true);
    }
    spans
}

fn span(first: ReleaseReport<'_>) -> ReleaseSpan<'_> {
    ReleaseSpan {
        first,
        last: None,
        open: false,
    }
}

/// Whether two releases serve, prefer and store the same, each kind too if `with_kinds`.
fn is_same(one: &ReleaseReport<'_>, other: &ReleaseReport<'_>, with_kinds: bool) -> bool {
    let [served, still_served] = [one, other].map(|row| row.versions.iter().map(|own| (own.version, own.state)));
    let [stored, still_stored] = [one, other].map(|row| row.kinds.iter().map(|own| (own.kind, own.storage)));
    served.eq(still_served) && one.preferred == other.preferred && (!with_kinds || stored.eq(still_stored))
}
