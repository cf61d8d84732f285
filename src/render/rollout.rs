//! A rollout as a checklist, from the templates in `templates/rollout/`.

use serde::Serialize;

use crate::report::RolloutReport;

use super::notes::WORDS;
use super::{Style, TemplateError, Templates};

const CHECKLIST: &str = include_str!("../../templates/rollout/checklist.md");
const STEPS: (&str, &str) = ("steps.md", include_str!("../../templates/rollout/steps.md"));

/// The context of the template.
#[derive(Serialize)]
struct Seen<'a> {
    rollout: &'a RolloutReport<'a>,
    /// Whether it is a page rather than text for the terminal.
    page: bool,
}

/// The checklist for the terminal: what to edit, announce and verify, release by release.
pub fn checklist(rollout: &RolloutReport<'_>, style: Style) -> Result<String, TemplateError> {
    let text = render("checklist.txt", rollout, false)?;
    let width = usize::from(style.width);
    Ok(text.lines().map(|line| folded(line, width) + "\n").collect())
}

/// A line broken to fit the width, the continuation below its first word.
fn folded(line: &str, width: usize) -> String {
    let own = line.trim_start_matches([' ', '-', '[', ']']);
    let indent = line.len() - own.len();
    let mut text = line[..indent].to_owned();
    let mut column = indent;
    for (at, word) in own.split(' ').enumerate() {
        let length = word.chars().count();
        if at > 0 && column + 1 + length > width {
            text.push('\n');
            text.extend(std::iter::repeat_n(' ', indent));
            column = indent;
        } else if at > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += length;
    }
    text
}

/// The checklist as a page in Markdown, with the entries of the model.
pub fn page(rollout: &RolloutReport<'_>) -> Result<String, TemplateError> {
    render("checklist.md", rollout, true)
}

fn render(name: &'static str, rollout: &RolloutReport<'_>, page: bool) -> Result<String, TemplateError> {
    let mut templates = Templates::default();
    templates.put(name, "checklist.md (built in)", CHECKLIST);
    for (file, text) in [WORDS, STEPS] {
        templates.put(file, &format!("{file} (built in)"), text);
    }
    templates.render(name, &Seen { rollout, page })
}
