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
        let mut owner = None;
        let mut tracking = None;
        for (key, value) in table.entries() {
            match key.name {
                "owner" => owner = text(value, self.diagnostics).map(|text| text.text),
                "tracking" => tracking = text(value, self.diagnostics).map(|text| text.text),
                "audience" | "flag" | "command" => {}
                _ => self.diagnostics.unknown_key(&key, &names(PROGRAM)),
            }
        }
        let first = self.elements.len();
        self.flags(&program, None, audience, table);
        if let Some(commands) = table
            .get("command")
            .and_then(|(_, value)| value.table(self.diagnostics))
        {
            for (key, value) in commands.entries() {
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
        }
        for element in &mut self.elements[first..] {
            let mut entry = super::EntryData {
                attributes: element.attributes.take(),
                ..super::EntryData::default()
            };
            inherit(&mut entry, owner.as_ref(), tracking.as_ref());
            element.attributes = entry.attributes;
        }
    }

    fn audience(&mut self, program: &Key<'_>, table: Table<'_>) -> Option<Audience> {
        let Some((_, value)) = table.get("audience") else {
            let why = "who uses the program: audience = \"user\" (as kubectl) or \"admin\" (as kubelet)";
            self.diagnostics.missing_key(program.span, "audience", why);
            return None;
        };
        let word = value.word(self.diagnostics)?;
        match word.text {
            "user" => Some(Audience::User),
            "admin" => Some(Audience::Admin),
            other => {
                self.diagnostics
                    .unknown_word("an audience", other, word.span, &["user", "admin"]);
                None
            }
        }
    }

    fn flags(
        &mut self,
        program: &Key<'_>,
        command: Option<(&Key<'_>, ElementId)>,
        audience: Audience,
        table: Table<'_>,
    ) {
        let Some(flags) = table.get("flag").and_then(|(_, value)| value.table(self.diagnostics)) else {
            return;
        };
        for (key, value) in flags.entries() {
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
            Some(command) => own_track.min(self.elements[command.0 as usize].track),
            None => own_track,
        };
        let element = self.add(path, parent, key.span, track, entry);
        self.commands.push(Command { element, audience });
        element
    }
}

fn prefixed_track(name: &str) -> Track {
    let bare = name.trim_start_matches('-');
    if bare == "alpha" || bare.starts_with("alpha-") || bare.starts_with("alpha ") {
        Track::Alpha
    } else if bare == "beta" || bare.starts_with("beta-") || bare.starts_with("beta ") {
        Track::Beta
    } else {
        Track::Ga
    }
}
