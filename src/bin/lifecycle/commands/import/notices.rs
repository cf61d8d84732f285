//! What an importer reports beside the model.

use lifecycle::import::{Notice, Topic};

use crate::failure::Outcome;
use crate::terminal::Terminal;

/// Up to this number, changes that are left out are listed.
const FEW: usize = 3;

/// Shows what an importer reports, topic by topic.
pub(in crate::commands) fn show(notices: &[Notice], terminal: &mut Terminal) {
    let mut notices: Vec<&Notice> = notices.iter().collect();
    notices.sort_by_key(|notice| notice.topic);
    for group in notices.chunk_by(|one, next| one.topic == next.topic) {
        let texts: Vec<&str> = group.iter().map(|notice| notice.text.as_str()).collect();
        match group.first().map(|notice| notice.topic) {
            Some(topic) if topic.is_important() => terminal.warn_some(topic.prefix(), &texts),
            Some(topic @ (Topic::NotInModel | Topic::Changed | Topic::Read)) if texts.len() > FEW => {
                let sort = if topic == Topic::Read { "markers" } else { "changes" };
                terminal.note_count(
                    &format!("{}{} {sort}", topic.prefix(), texts.len()),
                    topic.prefix(),
                    &texts,
                );
            }
            Some(topic) => terminal.note_some(topic.prefix(), &texts),
            None => {}
        }
    }
}

/// The outcome of an import that succeeded: findings where a part of the source could not be read.
pub(super) fn outcome(notices: &[Notice]) -> Outcome {
    Outcome::of_findings(notices.iter().any(|notice| notice.topic.is_incomplete()))
}
