//! Who has to move before something is removed.

use crate::answer::Material;
use crate::model::{ElementId, EventKind};
use crate::report::TaskReport;

/// The task, with those who have to move first.
pub(super) fn named<'a>(
    material: Material<'a>,
    (id, what): (ElementId, EventKind),
    task: TaskReport<'a>,
) -> TaskReport<'a> {
    let consumers = match what {
        EventKind::Removed => material.consumers(id),
        _ => Vec::new(),
    };
    let Some(heaviest) = consumers.first() else { return task };
    let others = match consumers.len() - 1 {
        0 => String::new(),
        1 => " and 1 other".to_owned(),
        others => format!(" and {others} others"),
    };
    let first = format!("to move first: {}{others}", heaviest.words);
    TaskReport {
        reason: format!("{}; {first}", task.reason),
        basis: format!("{}; {first}", task.basis),
        consumers,
        ..task
    }
}
