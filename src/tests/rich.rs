//! Models at random with elements of all kinds, several lives, gates that guard them, and calendars of every sort.
//!
//! Here a model is only text: nothing of what it means is worked out.

// Clippy allows `expect` in helpers only below `cfg(test)`.
#![cfg(test)]

use std::fmt::{self, Write as _};

use proptest::prelude::*;

use super::worlds::{Dates, World, kubernetes};

/// A model as text, and what [`super::worlds::load`] needs besides it.
#[derive(Clone)]
pub struct Rich {
    pub text: String,
    /// The same with more releases at the calendar's end, and with later days for what has not shipped.
    pub later: [String; 2],
    pub world: World,
}

impl fmt::Debug for Rich {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{}", self.text)
    }
}

/// A tape of choices makes a model; zeros, and the end of the tape, stand for the plainest ones.
pub fn rich() -> impl Strategy<Value = Rich> {
    prop::collection::vec(prop_oneof![2 => Just(0), 5 => any::<u16>()], 40..400).prop_map(|tape| {
        let mut maker = Maker {
            tape: tape.into_iter(),
            names: Vec::new(),
            gates: 0,
            text: String::new(),
        };
        let [calendar, longer, slipped] = maker.model();
        let later = [longer, slipped].map(|other| maker.text.replace(&calendar, &other));
        Rich {
            text: maker.text,
            later,
            world: World {
                editions: vec![(0, kubernetes())],
                dates: Dates {
                    symbolic: true,
                    days: Vec::new(),
                    cadence: None,
                    current: None,
                    second_major: None,
                },
                groups: Vec::new(),
                others: Vec::new(),
            },
        }
    })
}

const EDITIONS: [&str; 4] = ["kubernetes", "kubernetes-2025", "kubernetes-2019", "kubernetes-2021"];
const TREES: [&str; 12] = [
    "Ash", "Birch", "Cedar", "Alder", "Elm", "Fir", "Gum", "Hazel", "Ivy", "Judas", "Kapok", "Larch",
];
const VERSIONS: [&str; 7] = ["v1alpha1", "v1beta1", "v1beta2", "v1", "v2alpha1", "v2beta1", "v2"];

/// Where a field may be kept in versions that lack it.
const COUNTERPARTS: [&str; 2] = ["@example.com/size", "spec.day"];

/// Releases with days since 2020, in months of 30; without a day, unscheduled.
fn listed(names: &[String], days: &[Option<usize>]) -> String {
    let mut text = String::new();
    for (name, day) in names.iter().zip(days) {
        let date = day.map_or("\"unscheduled\"".to_owned(), |day| {
            let (year, month) = (2020 + day / 360, 1 + day % 360 / 30);
            format!("{year}-{month:02}-{:02}", 1 + day % 28)
        });
        let _ = writeln!(text, "\"{name}\" = {date}");
    }
    text
}

struct Maker {
    tape: std::vec::IntoIter<u16>,
    /// The releases of the calendar.
    names: Vec<String>,
    gates: usize,
    text: String,
}

/// What the entry of an element may have besides its life.
#[derive(Clone, Copy)]
struct Form<'f> {
    /// Whether its introduction may be missing.
    is_open: bool,
    has_lives: bool,
    replacements: &'f [String],
}

impl Maker {
    fn pick(&mut self, below: usize) -> usize {
        usize::from(self.tape.next().unwrap_or(0)) % below.max(1)
    }

    /// Once in so many times.
    fn once_in(&mut self, times: usize) -> bool {
        self.pick(times) == times - 1
    }

    fn line(&mut self, line: &str) {
        self.text += line;
        self.text.push('\n');
    }

    fn name(&self, at: usize) -> String {
        let last = self.names.len() - 1;
        format!("\"{}\"", self.names[at.min(last)])
    }

    /// Writes a model. Returns its calendar, a longer one, and one with later days.
    fn model(&mut self) -> [String; 3] {
        let count = 6 + self.pick(4);
        let calendars = self.calendar(count);
        let policy = self.policy();
        self.line(&policy);
        self.text += &calendars[0];
        self.gates = self.pick(4);
        for at in 0..self.gates {
            self.gate(at);
        }
        self.group("group.\"one.example.com\"", &["Widget", "Gadget"]);
        if self.once_in(2) {
            self.group("group.\"two.example.com\"", &["Widget"]);
        }
        if self.once_in(3) {
            self.group("config.\"toold.example.com\"", &["ToolConfiguration"]);
        }
        for program in ["user", "admin"] {
            self.program(program);
        }
        for at in 0..self.pick(3) {
            let replacements = ["behavior0".to_owned()];
            let replacements = &replacements[..at.min(1)];
            let keys = self.keys(Form {
                is_open: true,
                has_lives: true,
                replacements,
            });
            self.line(&format!("[behavior.behavior{at}]"));
            self.line(&keys.join("\n"));
        }
        for at in 0..self.pick(4) {
            self.metric(at);
        }
        for at in 0..self.pick(3) {
            let keys = self.keys(Form {
                is_open: true,
                has_lives: true,
                replacements: &[],
            });
            let stage = ["GA", "beta", "alpha"][self.pick(3)];
            self.line(&format!("[config-key.\"server.key{at}\"]\nstage = \"{stage}\""));
            self.line(&keys.join("\n"));
        }
        calendars
    }

    fn policy(&mut self) -> String {
        let first = EDITIONS[self.pick(4)];
        let second = EDITIONS[self.pick(4)];
        if self.once_in(4) && first != second {
            let at = 1 + self.pick(4);
            return format!(
                "policy = [{{ use = \"{first}\" }}, {{ use = \"{second}\", from = {} }}]",
                self.name(at)
            );
        }
        format!("policy = \"{first}\"")
    }

    fn calendar(&mut self, count: usize) -> [String; 3] {
        let sort = self.pick(5);
        let mut text = "[calendar]\n".to_owned();
        let all = count + 3;
        let names: Vec<String> = match sort {
            0 => (0..all)
                .map(|at| if at == 0 { "X".to_owned() } else { format!("X+{at}") })
                .collect(),
            4 => TREES[..all].iter().map(|tree| (*tree).to_owned()).collect(),
            _ => (0..all).map(|at| format!("1.{}", at + 7)).collect(),
        };
        self.names = names[..count].to_vec();
        if sort == 4 {
            text += "order = \"listed\"\n";
        }
        if self.once_in(2) || sort == 0 {
            let _ = writeln!(text, "cadence = {{ months = {} }}", [4, 3, 1, 6][self.pick(4)]);
        }
        let mut shipped = 0;
        if !self.once_in(4) {
            let current = self.pick(count - 2);
            shipped = current + 1;
            let _ = writeln!(text, "current = {}", self.name(current));
        }
        if sort == 0 {
            return [count, all, count]
                .map(|count| format!("{text}symbolic = {{ origin = \"X\", count = {count} }}\n"));
        }
        text += "[calendar.releases]\n";
        let unscheduled = if self.once_in(3) { self.pick(count) } else { 0 };
        let mut days = Vec::new();
        let mut day = 0;
        for at in 0..count {
            day += if sort == 1 { 121 } else { 20 + self.pick(200) };
            days.push(Some(day).filter(|_| at + unscheduled < count));
        }
        let more = (1..4).map(|more| Some(day + more * 121).filter(|_| unscheduled == 0));
        let longer: Vec<_> = days.iter().copied().chain(more).collect();
        let slipped = days.iter().enumerate();
        let slipped: Vec<_> = slipped
            .map(|(at, day)| day.map(|day| if at < shipped { day } else { day + 45 }))
            .collect();
        [&days, &longer, &slipped].map(|days| text.clone() + &listed(&names, days))
    }

    fn gate(&mut self, at: usize) {
        let stages = ["alpha", "beta", "GA", "deprecated"];
        let (mut stage, mut since) = (self.pick(3), self.pick(4));
        let mut entries = Vec::new();
        loop {
            let locked = if stage == 2 && self.once_in(2) {
                ", locked = true"
            } else {
                ""
            };
            let default = stage != 0;
            let since_name = self.name(since);
            let name = stages[stage];
            entries.push(format!(
                "{{ stage = \"{name}\", since = {since_name}, default = {default}{locked} }}"
            ));
            (stage, since) = (stage + 1 + self.pick(2), since + 1 + self.pick(3));
            if stage > 3 || since >= self.names.len() || self.once_in(3) {
                break;
            }
        }
        self.line(&format!("[gate.Gate{at}]\nspecs = [{}]", entries.join(", ")));
        if at > 0 && self.once_in(4) {
            self.line("depends-on = \"Gate0\"");
        }
        if self.once_in(4) {
            let later = self.pick(3);
            let removed = self.name(since + later);
            self.line(&format!("removed = {removed}"));
        }
        self.line("warning = \"w\"\noperational = false");
    }

    /// The keys of one life that begins at a release or later; its last release.
    fn life(&mut self, from: usize, ends: bool, is_open: bool) -> (Vec<String>, usize) {
        let mut keys = Vec::new();
        let mut at = from + self.pick(4);
        if !is_open || !self.once_in(3) {
            keys.push(format!("introduced = {}", self.name(at)));
        }
        if self.once_in(3) {
            at += self.pick(3);
            at = self.deprecations(at, &mut keys);
        }
        if ends || self.once_in(5) {
            at += 1 + self.pick(4);
            keys.push(format!("removed = {}", self.name(at)));
        }
        (keys, at)
    }

    /// A deprecation, which may be withdrawn and repeated; the last release of these.
    fn deprecations(&mut self, mut at: usize, keys: &mut Vec<String>) -> usize {
        let (mut deprecated, mut undone) = (vec![self.name(at)], Vec::new());
        while undone.len() < 2 && self.once_in(4) {
            at += 1 + self.pick(2);
            undone.push(self.name(at));
            if !self.once_in(2) {
                break;
            }
            at += 1 + self.pick(2);
            deprecated.push(self.name(at));
        }
        for (key, releases) in [("deprecated", deprecated), ("undeprecated", undone)] {
            match releases.as_slice() {
                [] => {}
                [one] => keys.push(format!("{key} = {one}")),
                several => keys.push(format!("{key} = [{}]", several.join(", "))),
            }
        }
        at
    }

    fn entry(&mut self, form: Form<'_>) -> String {
        self.keys(form).join(", ")
    }

    fn keys(&mut self, form: Form<'_>) -> Vec<String> {
        let mut keys = if form.has_lives && self.once_in(8) {
            let (first, end) = self.life(0, true, false);
            let gap = self.pick(2);
            let (second, _) = self.life(end + gap, false, false);
            vec![format!(
                "lives = [{{ {} }}, {{ {} }}]",
                first.join(", "),
                second.join(", ")
            )]
        } else {
            self.life(0, false, form.is_open).0
        };
        if self.gates > 0 && self.once_in(5) {
            keys.push(format!("gated-by = \"Gate{}\"", self.pick(self.gates)));
        }
        if !form.replacements.is_empty() && self.once_in(3) {
            keys.push(format!(
                "replacement = \"{}\"",
                form.replacements[self.pick(form.replacements.len())]
            ));
        }
        keys
    }

    fn group(&mut self, table: &str, kinds: &[&str]) {
        let count = 1 + self.pick(4);
        let mut versions: Vec<&str> = Vec::new();
        for _ in 0..count {
            let version = VERSIONS[self.pick(VERSIONS.len())];
            if !versions.contains(&version) {
                versions.push(version);
            }
        }
        self.line(&format!("[{table}.version]"));
        for version in &versions {
            let others: Vec<String> = versions
                .iter()
                .filter(|other| other > &version)
                .map(|other| (*other).to_owned())
                .collect();
            let entry = self.entry(Form {
                is_open: false,
                has_lives: true,
                replacements: &others,
            });
            self.line(&format!("{version} = {{ {entry} }}"));
        }
        let few = self.pick(kinds.len() + 1);
        for kind in &kinds[..few] {
            self.kind(table, kind, &versions);
        }
    }

    fn kind(&mut self, table: &str, kind: &str, versions: &[&str]) {
        self.line(&format!("[{table}.kind.{kind}]"));
        let mut own: Vec<&str> = versions.to_vec();
        if own.len() > 1 && self.once_in(3) {
            own.remove(self.pick(versions.len()));
        }
        let quoted: Vec<String> = own.iter().map(|version| format!("\"{version}\"")).collect();
        self.line(&format!("versions = [{}]", quoted.join(", ")));
        for version in &own {
            if !self.once_in(4) {
                continue;
            }
            let entry = self.entry(Form {
                is_open: true,
                has_lives: true,
                replacements: &[],
            });
            self.line(&format!("version.{version} = {{ {entry} }}"));
        }
        let members = [
            "field.\"spec.size\"",
            "field.\"spec.day\"",
            "enum.\"spec.day\".Tuesday",
            "annotation.\"example.com/size\"",
            "subresource.status",
        ];
        for member in members {
            if !self.once_in(3) {
                continue;
            }
            if self.once_in(2) {
                let form = Form {
                    is_open: true,
                    has_lives: false,
                    replacements: &[],
                };
                let has_other_names = member.starts_with("field");
                let within = own.iter().map(|version| {
                    let mut keys = self.keys(form);
                    if has_other_names && self.once_in(4) {
                        keys.push(format!("represented-as = \"{}\"", COUNTERPARTS[self.pick(2)]));
                    }
                    format!("{version} = {{ {} }}", keys.join(", "))
                });
                let within: Vec<String> = within.collect();
                self.line(&format!("{member} = {{ in = {{ {} }} }}", within.join(", ")));
            } else {
                let entry = self.entry(Form {
                    is_open: true,
                    has_lives: true,
                    replacements: &[],
                });
                self.line(&format!("{member} = {{ {entry} }}"));
            }
        }
    }

    fn program(&mut self, program: &str) {
        self.line(&format!("[cli.{program}]\naudience = \"{program}\""));
        self.flags(&format!("cli.{program}.flag"), &["--old", "--new"]);
        if self.once_in(2) {
            self.line(&format!("[cli.{program}.command.run]\nwarning = \"w\""));
            let keys = self.keys(Form {
                is_open: true,
                has_lives: true,
                replacements: &[],
            });
            self.line(&keys.join("\n"));
            self.flags(&format!("cli.{program}.command.run.flag"), &["--old"]);
        }
    }

    fn flags(&mut self, table: &str, names: &[&str]) {
        self.line(&format!("[{table}]"));
        let mut newer: Vec<String> = Vec::new();
        for name in names.iter().rev() {
            if self.once_in(2) {
                let keys = self.keys(Form {
                    is_open: true,
                    has_lives: true,
                    replacements: &newer,
                });
                let stage = ["GA", "beta", "alpha"][self.pick(3)];
                let own = [format!("stage = \"{stage}\""), "warning = \"w\"".to_owned()];
                self.line(&format!(
                    "\"{name}\" = {{ {} }}",
                    [own.to_vec(), keys].concat().join(", ")
                ));
                newer.push((*name).to_owned());
            }
        }
    }

    fn metric(&mut self, at: usize) {
        let classes = ["STABLE", "BETA", "ALPHA", "INTERNAL"];
        let mut since = self.pick(4);
        let mut specs = Vec::new();
        loop {
            let class = classes[self.pick(4)];
            specs.push(format!("{{ stage = \"{class}\", since = {} }}", self.name(since)));
            since += 1 + self.pick(3);
            if since >= self.names.len() || !self.once_in(3) {
                break;
            }
        }
        self.line(&format!("[metric.metric{at}]\nspecs = [{}]", specs.join(", ")));
        let mut last = since.min(self.names.len() - 1);
        if self.once_in(3) {
            last += self.pick(3);
            let mut keys = Vec::new();
            last = self.deprecations(last, &mut keys);
            self.line(&keys.join("\n"));
        }
        for key in ["hidden", "removed"] {
            if self.once_in(3) {
                last += self.pick(3);
                let name = self.name(last);
                self.line(&format!("{key} = {name}"));
            }
        }
        if at > 0 && self.once_in(3) {
            self.line("replacement = \"metric metric0\"");
        }
    }
}
