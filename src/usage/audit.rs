//! Audit logs of Kubernetes API servers: one event per line. Lines that cannot name a watched element are not parsed.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};

use memchr::memchr;
use memchr::memmem::Finder;
use serde::Deserialize;
use serde_json::Value as Json;

use super::collector::{Collector, Origin, Seen, day, time};
use super::lines::{Lines, Next};
use super::search::Search;
use super::watched::Watched;
use crate::release::Day;
use crate::report::{EvidenceSource, SourceFormat};
use crate::scan::{Known, ReadDocument, Rewrites, Uses};
use crate::schema::Tree;

/// The end of an event, where its times are.
const END: usize = 512;

/// The stages at which a request is over: each request has one of them.
pub(crate) const LAST_STAGES: [&str; 2] = ["ResponseComplete", "Panic"];

/// The verbs of requests whose bodies are objects or patches.
const WRITING: [&str; 3] = ["create", "update", "patch"];

/// Values of an event whose body is read: ten times those of a large object.
const MOST_VALUES: usize = 100_000;

const NO_EVENT: &str = "not an audit event";

const TOO_MANY: &str = "more consumers and days than are kept";

/// An event, or a list of them.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Event<'l> {
    #[serde(borrow)]
    kind: Cow<'l, str>,
    #[serde(borrow)]
    stage: Cow<'l, str>,
    #[serde(borrow)]
    verb: Cow<'l, str>,
    #[serde(borrow)]
    user_agent: Cow<'l, str>,
    #[serde(borrow)]
    stage_timestamp: Cow<'l, str>,
    #[serde(borrow)]
    user: User<'l>,
    #[serde(borrow)]
    object_ref: Object<'l>,
    #[serde(borrow)]
    items: Vec<Event<'l>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct User<'l> {
    #[serde(borrow)]
    username: Cow<'l, str>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Object<'l> {
    #[serde(borrow)]
    resource: Cow<'l, str>,
    #[serde(borrow)]
    subresource: Cow<'l, str>,
    #[serde(borrow)]
    namespace: Cow<'l, str>,
    #[serde(borrow)]
    api_group: Cow<'l, str>,
    #[serde(borrow)]
    api_version: Cow<'l, str>,
}

/// The body of a request.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct WithBody {
    #[serde(default)]
    request_object: Json,
}

/// Which bodies of requests for a kind were logged.
#[derive(Debug, Default)]
struct Bodies {
    some: bool,
    missing: bool,
}

struct Reader<'w> {
    watched: &'w Watched,
    with_bodies: bool,
    search: Search,
    /// The number of the line that is read, from 1.
    line: u64,
    times: Finder<'static>,
    collector: Collector,
    day: Option<Day>,
    day_written: [u8; 10],
    bodies: BTreeMap<(String, String, String), Bodies>,
}

/// Reads an audit log; with the bodies of requests, also for members of kinds.
///
/// # Errors
///
/// If it cannot be read on. A log that is damaged or cut is no error: what cannot be understood is counted.
pub(super) fn read_audit_log(
    input: impl Read,
    origin: Origin<'_>,
    watched: &Watched,
    with_bodies: bool,
) -> io::Result<EvidenceSource> {
    let mut lines = Lines::new(input);
    let mut reader = Reader {
        watched,
        with_bodies,
        search: watched.search(with_bodies),
        line: 1,
        times: Finder::new("Timestamp\""),
        collector: Collector::new(SourceFormat::AuditLog),
        day: None,
        day_written: [0; 10],
        bodies: BTreeMap::new(),
    };
    loop {
        match lines.next()? {
            Next::Lines(text) => reader.lines(text),
            Next::TooLong => {
                reader.collector.read_lines(1);
                reader.lose("longer than 8 MiB");
            }
            Next::End(damage) => {
                if let Some(reason) = damage {
                    reader.lose(reason);
                }
                break;
            }
        }
    }
    reader.look_for();
    Ok(reader.collector.finish(origin, lines.fingerprint()))
}

impl Reader<'_> {
    /// The elements that the log shows: members only if the bodies of all requests that write their kinds, or kinds
    /// that contain these, were logged.
    fn look_for(&mut self) {
        self.collector.look_for(self.watched.shown_by_requests());
        let (mut seen, mut hidden) = (BTreeSet::new(), BTreeSet::new());
        for ((group, version, resource), bodies) in &self.bodies {
            let members = self.watched.members(group, version, resource);
            for id in members.into_iter().flat_map(|members| &members.ids) {
                if bodies.some {
                    seen.insert(id);
                }
                if bodies.missing {
                    hidden.insert(id);
                }
            }
        }
        self.collector.look_for(seen.difference(&hidden).copied().cloned());
    }

    fn lose(&mut self, reason: &str) {
        self.collector.lose(self.line, reason);
    }

    fn lines(&mut self, text: &[u8]) {
        let mut begin = 0;
        let mut next_word = self.next_word(text, 0);
        while begin < text.len() {
            let newline = memchr(b'\n', &text[begin..]);
            let end = newline.map_or(text.len(), |at| begin + at);
            if next_word < begin {
                next_word = self.next_word(text, begin);
            }
            let line = text[begin..end].trim_ascii();
            if !line.is_empty() {
                self.collector.read_lines(1);
                if let Err(reason) = self.line(line, next_word < end) {
                    self.lose(reason);
                }
            }
            begin = end + 1;
            self.line += u64::from(newline.is_some());
        }
    }

    /// Where the next word begins that can name a watched element.
    fn next_word(&self, text: &[u8], from: usize) -> usize {
        self.search.find(text, from).unwrap_or(usize::MAX)
    }

    fn line(&mut self, line: &[u8], may_matter: bool) -> Result<(), &'static str> {
        if !line.starts_with(b"{") || !line.ends_with(b"}") {
            return Err("not a whole line of JSON");
        }
        self.cover(line)?;
        if !may_matter {
            return Ok(());
        }
        let text = std::str::from_utf8(line).map_err(|_| "not UTF-8")?;
        let event: Event<'_> = serde_json::from_str(text).map_err(|_| "not valid JSON, or not an audit event")?;
        match &*event.kind {
            "Event" => self.event(&event, Some(text)),
            "EventList" => event.items.iter().try_for_each(|event| self.event(event, None)),
            _ => Err(NO_EVENT),
        }
    }

    /// Notes the day of a line. Those of most lines are that of the line before.
    fn cover(&mut self, line: &[u8]) -> Result<(), &'static str> {
        let tail = line.len().saturating_sub(END);
        let found = self.times.find(&line[tail..]).map(|at| at + tail);
        let found = found.or_else(|| self.times.find(line)).ok_or(NO_EVENT)?;
        let rest = &line[found + self.times.needle().len()..];
        let written = rest
            .iter()
            .position(u8::is_ascii_digit)
            .and_then(|at| rest.get(at..at + 10));
        let written = written.ok_or(NO_EVENT)?;
        if written != self.day_written {
            let day = day(written).ok_or(NO_EVENT)?;
            if !self.collector.cover(day) {
                return Err("more days than ten years have");
            }
            self.day_written.copy_from_slice(written);
            self.day = Some(day);
        }
        Ok(())
    }

    fn event(&mut self, event: &Event<'_>, line: Option<&str>) -> Result<(), &'static str> {
        let object = &event.object_ref;
        if object.resource.is_empty() || !LAST_STAGES.contains(&&*event.stage) {
            return Ok(());
        }
        let at = time(&event.stage_timestamp).ok_or("without a time")?;
        let seen = Seen {
            user: &event.user.username,
            agent: &event.user_agent,
            namespace: &object.namespace,
            day: day(at.as_bytes()).ok_or("without a time")?,
            times: [Some(&at), None],
            count: 1,
        };
        let watched = self.watched;
        let own = watched.of(&object.api_group, &object.api_version, &object.resource);
        if let Some(id) = own
            && !self.collector.add(id, seen)
        {
            return Err(TOO_MANY);
        }
        let is_write = self.with_bodies && WRITING.contains(&&*event.verb);
        match line.filter(|_| is_write) {
            Some(line) => self.body(object, line, seen),
            None => Ok(()),
        }
    }

    /// Looks for members in the body of a request.
    fn body(&mut self, object: &Object<'_>, line: &str, seen: Seen<'_>) -> Result<(), &'static str> {
        let watched = self.watched;
        let key = [&object.api_group, &object.api_version, &object.resource].map(ToString::to_string);
        let members = watched.members(&key[0], &key[1], &key[2]);
        let Some(members) = members.filter(|_| object.subresource.is_empty()) else {
            return Ok(());
        };
        let body = body_of(line);
        let [group, version, _] = &key;
        let api_version = if group.is_empty() {
            version.clone()
        } else {
            format!("{group}/{version}")
        };
        let bodies = self
            .bodies
            .entry((key[0].clone(), key[1].clone(), key[2].clone()))
            .or_default();
        bodies.missing |= body.is_err();
        let mut tree = body?;
        // A list is a JSON patch, which names fields by their paths.
        if !matches!(tree, Tree::Table(_)) {
            bodies.missing = true;
            return Ok(());
        }
        bodies.some = true;
        tree.put_absent(&[("apiVersion", api_version), ("kind", members.kind.clone())]);
        let mut uses = Uses::default();
        let known = Known {
            surfaces: &watched.surfaces,
            rewrites: &Rewrites::default(),
            contained: &watched.contained,
        };
        uses.add(known, &ReadDocument { line: 1, tree });
        let used: BTreeSet<&str> = uses.all.iter().map(|found| found.fate.id.as_str()).collect();
        for id in used.into_iter().filter(|id| members.ids.contains(*id)) {
            if !self.collector.add(id, seen) {
                return Err(TOO_MANY);
            }
        }
        Ok(())
    }
}

/// The body of the request of an event.
fn body_of(line: &str) -> Result<Tree, &'static str> {
    let values = line.bytes().filter(|byte| matches!(byte, b',' | b'[' | b'{'));
    if values.count() > MOST_VALUES {
        return Err("a body with too many values");
    }
    let body: WithBody = serde_json::from_str(line).map_err(|_| "a body that is nested too deep")?;
    Ok(body.request_object.into())
}
