//! Programs: their commands and flags.

use crate::document::{Key, Table};
use crate::grammar::{PROGRAM, names};
use crate::stability::Track;

use super::super::{Audience, Command, ElementId, ElementPath};
use super::Reader;
use super::entry::{check_name, text};
use super::group::inherit;

impl Reader<'_> {
    /// Reads one program.
    pub(super) fn component(&mut self, program: Key<'_>, table: Table<'_>) {
        let Some(audience) = self.audience(&program, table) else {
            return;
        };
        let (mut owner, mut tracking) = (None, None);
        for (key, value) in table.entries() {
            match key.name {
                "owner" => owner = text(value, self.diagnostics).map(|text| text.text),
                "tracking" => tracking = text(value, self.diagnostics).map(|text| text.text),
                "audience" | "flag" | "command" => {}
                _ => self.diagnostics.unknown_key(&key, &names(PROGRAM)),
            }
        }
        let first = self.model.elements.len();
        self.flags(&program, None, audience, table);
        for (key, value) in self.entries_of(table, "command") {
            check_name(&key, self.diagnostics);
            let Some(table) = value.table(self.diagnostics) else {
                continue;
            };
            let path = ElementPath::Command {
                program: program.name.into(),
                command: key.name.into(),
            };
            let command = self.command(&path, None, audience, &key, table);
            self.flags(&program, Some((&key, command)), audience, table);
        }
        for element in &mut self.model.elements_mut()[first..] {
            inherit(&mut element.attributes, owner.as_ref(), tracking.as_ref());
        }
    }

    fn audience(&mut self, program: &Key<'_>, table: Table<'_>) -> Option<Audience> {
        let Some((_, value)) = table.get("audience") else {
            let help =
                "add `audience = \"user\"` (for a program such as kubectl) or `audience = \"admin\"` (such as kubelet)";
            self.diagnostics.missing_key(program.span, "audience", help);
            return None;
        };
        self.one_of("an audience", value, Audience::parse, &["user", "admin"])
    }

    fn flags(
        &mut self,
        program: &Key<'_>,
        command: Option<(&Key<'_>, ElementId)>,
        audience: Audience,
        table: Table<'_>,
    ) {
        for (key, value) in self.entries_of(table, "flag") {
            check_name(&key, self.diagnostics);
            let Some(table) = value.table(self.diagnostics) else {
                continue;
            };
            let path = ElementPath::Flag {
                program: program.name.into(),
                command: command.map(|(command, _)| command.name.into()),
                flag: key.name.into(),
            };
            self.command(&path, command.map(|(_, command)| command), audience, &key, table);
        }
    }

    fn command(
        &mut self,
        path: &ElementPath<'_>,
        parent: Option<ElementId>,
        audience: Audience,
        key: &Key<'_>,
        table: Table<'_>,
    ) -> ElementId {
        let entry = self.entry(table, path.element_kind());
        // A flag is GA unless its prefix or its documentation says otherwise (policy, before rule 5a).
        let own_track = entry.track.unwrap_or_else(|| prefixed_track(key.name));
        let track = match parent {
            Some(command) => own_track.min(self.model.elements[command.0 as usize].track),
            None => own_track,
        };
        let element = self.add(path, parent, key.span, track, entry);
        self.model.commands.push(Command { element, audience });
        element
    }
}

/// `--alpha-x` is alpha, `beta x` beta.
fn prefixed_track(name: &str) -> Track {
    match name.trim_start_matches('-').split(['-', ' ']).next() {
        Some("alpha") => Track::Alpha,
        Some("beta") => Track::Beta,
        _ => Track::Ga,
    }
}
