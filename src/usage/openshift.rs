//! The counts of requests that `OpenShift` keeps: `oc get apirequestcounts -o json`.

use super::collector::{Collector, Origin, Seen};
use super::watched::Watched;
use crate::release::Day;
use crate::report::{EvidenceSource, SourceFormat};
use crate::schema::{Tree, read_yaml};
use crate::text::{Unreadable, at, of_problem};

/// The kind of an object that has the counts of a resource.
pub(super) const KIND: &str = "APIRequestCount";

/// Reads the counts. Those of the last day count on the day that is named.
///
/// # Errors
///
/// If the text cannot be read, or no day is named.
pub(super) fn read(
    text: &str,
    origin: Origin<'_>,
    watched: &Watched,
    fingerprint: String,
) -> Result<EvidenceSource, Unreadable> {
    let tree = read_yaml(text).map_err(|problem| of_problem(&problem, 1))?;
    let day = origin.day.ok_or_else(|| at(1, 1, "request counts have no day"))?;
    let mut collector = Collector::new(SourceFormat::RequestCounts);
    collector.cover(day);
    let single = std::slice::from_ref(&tree);
    let objects: Vec<&Tree> = match tree.get("items") {
        Some(_) => tree.items("items").iter().map(|item| &item.value).collect(),
        None => single.iter().collect(),
    };
    for (number, object) in (1..).zip(objects) {
        collector.read_lines(1);
        let name = object.get("metadata").map_or("", |metadata| metadata.text("name"));
        // `flowschemas.v1beta1.flowcontrol.apiserver.k8s.io`; a core resource ends with a dot.
        let parts = name.split_once('.').map(|(resource, rest)| {
            let (version, group) = rest.split_once('.').unwrap_or((rest, ""));
            (group, version, resource)
        });
        let Some((group, version, resource)) = parts.filter(|_| object.text("kind") == KIND) else {
            collector.lose(number, "not the request counts of a resource");
            continue;
        };
        if let Some(id) = watched.of(group, version, resource) {
            collector.look_for([id.to_owned()]);
            if !add(&mut collector, id, object, day) {
                collector.lose(number, "a count that is no whole number");
            }
        }
    }
    Ok(collector.finish(origin, fingerprint))
}

/// Adds the counts of a resource: those of users, and the rest of the sum, which names the most frequent users only.
/// Returns whether all are whole numbers.
fn add(collector: &mut Collector, id: &str, object: &Tree, day: Day) -> bool {
    let Some(status) = object.get("status") else {
        return true;
    };
    let mut all_read = true;
    let nodes = status
        .items("last24h")
        .iter()
        .flat_map(|hour| hour.value.items("byNode"));
    for node in nodes {
        let sum = count(&node.value);
        let mut rest = sum.unwrap_or_default();
        all_read &= sum.is_some();
        for user in node.value.items("byUser") {
            let Some(count) = count(&user.value) else {
                all_read = false;
                continue;
            };
            rest = rest.saturating_sub(count);
            let seen = Seen {
                user: user.value.text("username"),
                agent: user.value.text("userAgent"),
                namespace: "",
                day,
                times: [None, None],
                count,
            };
            if count > 0 && !collector.add(id, seen) {
                rest = rest.saturating_add(count);
            }
        }
        let others = Seen {
            user: "",
            agent: "",
            namespace: "",
            day,
            times: [None, None],
            count: rest,
        };
        if rest > 0 {
            collector.add(id, others);
        }
    }
    all_read
}

/// The count of a node or a user, which is left out where it is zero; `None` if it is no count.
fn count(of: &Tree) -> Option<u64> {
    match of.get("requestCount") {
        None => Some(0),
        Some(Tree::Number(number)) => number.as_u64(),
        Some(_) => None,
    }
}
