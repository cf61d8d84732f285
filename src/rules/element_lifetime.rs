#![doc = include_str!("element-lifetime.md")]

use crate::model::{Event, EventKind, ExtraElement, ExtraKind, Model};
use crate::obligation::{End, Obligations, Scope};
use crate::policy::{Class, LIFETIME, RuleKeys};
use crate::stability::Track;

use super::{LIFETIME_CODES, Rule};

pub(super) const RULE: Rule = Rule {
    slug: "element-lifetime",
    page: include_str!("element-lifetime.md"),
    codes: LIFETIME_CODES,
    keys: RuleKeys {
        by_kind: true,
        ..RuleKeys::of(&[(Class::Alpha, LIFETIME), (Class::Beta, LIFETIME), (Class::Ga, LIFETIME)])
    },
    state,
};

fn state(scope: &Scope<'_>, out: &mut Obligations) {
    for extra in scope.model.judged_extras() {
        let Some(kind) = scope.model.kinds.at(extra.kind) else {
            continue;
        };
        for life in 0..scope.model.lives(extra.element) {
            let removed = Event::new(extra.element, life, EventKind::Removed);
            let Some(law) = scope.law.at(scope.model.announced(removed)) else {
                continue;
            };
            let of_kind = class_at_end(scope.model, (kind, extra), removed);
            let (law, class) = law.of_kind(of_kind.0, of_kind.1, of_kind.2);
            let end = End {
                law,
                class,
                removed,
                announced: scope.announcement(extra.element, life),
                because: "an element keeps working",
                of_kind: Some(of_kind),
            };
            scope.lifetime(out, &end);
        }
    }
}

/// Its kind, its class and how stable that is. Behind a gate that is less stable than its class, it has the kind's
/// first class that is as stable as the gate.
fn class_at_end<'m>(
    model: &'m Model,
    (kind, extra): (&'m ExtraKind, &ExtraElement),
    removed: Event,
) -> (&'m str, &'m str, Track) {
    let deprecated = removed.sibling(EventKind::Deprecated);
    let track = model.track_at_end(deprecated, Some(model.first_announcement(removed)));
    let own = kind.classes.get(extra.class).filter(|(_, of_class)| *of_class == track);
    let class = own.or_else(|| kind.classes.iter().find(|(_, of_class)| *of_class == track));
    (&kind.name, class.map_or("", |(class, _)| class), track)
}
