//! The conversion between versions.

use std::collections::BTreeSet;

use super::dns::{LABEL, is_label, is_subdomain};
use super::node::Node;
use super::path::Path;
use super::refusal::{Class, Refusals};
use crate::schema::Tree;

/// What the prior server understands.
const REVIEWS: [&str; 2] = ["v1", "v1beta1"];

/// `spec.conversion`. The paths are those of the server, which has its own names for the parts of the webhook.
pub(super) fn check(spec: &Node<'_, '_>, found: &mut Refusals) {
    let Some(conversion) = spec.child("conversion") else {
        return;
    };
    let strategy = conversion.value.text("strategy");
    check_strategy(spec, &conversion, found);
    let webhook = conversion.child("webhook");
    let client = webhook.as_ref().and_then(|webhook| webhook.child("clientConfig"));
    let reviews = webhook
        .as_ref()
        .and_then(|webhook| webhook.child("conversionReviewVersions"));
    if strategy == "Webhook" {
        let path = conversion.path.child("webhookClientConfig");
        match &client {
            Some(client) => check_client(&client.named(path), found),
            None => found.add_key(
                Class::Conversion,
                &conversion,
                "webhookClientConfig",
                (
                    "the strategy is `Webhook`, and there is no webhook to call",
                    "set `webhook.clientConfig`, or the strategy `None`",
                ),
            ),
        }
        check_reviews(&conversion, reviews.as_ref(), found);
        return;
    }
    let help = "remove it, or set the strategy `Webhook`";
    if let Some(client) = &client {
        let node = client.named(conversion.path.child("webhookClientConfig"));
        found.add(
            Class::Conversion,
            &node,
            "a webhook is configured, and the strategy does not call it",
            help,
        );
    }
    if let Some(reviews) = reviews.filter(|reviews| reviews.items().next().is_some()) {
        let node = reviews.named(conversion.path.child("conversionReviewVersions"));
        found.add(
            Class::Conversion,
            &node,
            "`conversionReviewVersions` are for the strategy `Webhook`",
            help,
        );
    }
}

fn check_strategy(spec: &Node<'_, '_>, conversion: &Node<'_, '_>, found: &mut Refusals) {
    let strategy = conversion.value.text("strategy");
    if !["None", "Webhook"].contains(&strategy) {
        let message = match strategy {
            "" => "the conversion has no strategy".to_owned(),
            strategy => format!("`{strategy}` is no strategy of conversion"),
        };
        found.add_key(
            Class::Conversion,
            conversion,
            "strategy",
            (message, "write `None` or `Webhook`"),
        );
    }
    if strategy != "None" && spec.value.says("preserveUnknownFields") {
        let message = "a conversion is not possible with `preserveUnknownFields: true`";
        found.add_key(
            Class::Conversion,
            conversion,
            "strategy",
            (message, "remove `preserveUnknownFields`"),
        );
    }
}

fn check_client(client: &Node<'_, '_>, found: &mut Refusals) {
    match (client.child("url"), client.child("service")) {
        (Some(url), None) => check_url(&url, found),
        (None, Some(service)) => check_service(&service, found),
        (one, _) => found.add(
            Class::Conversion,
            client,
            match one {
                Some(_) => "the webhook has both `url` and `service`",
                None => "the webhook has neither `url` nor `service`",
            },
            "set one of them",
        ),
    }
}

fn check_url(node: &Node<'_, '_>, found: &mut Refusals) {
    let Tree::Text(url) = node.value else { return };
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let host = rest.split('/').next().unwrap_or_default();
    let reason = if !scheme.eq_ignore_ascii_case("https") {
        "does not begin with `https://`"
    } else if host.is_empty() {
        "has no host"
    } else if host.contains('@') {
        "has a user"
    } else if !fragment.is_empty() {
        "has a fragment (`#…`)"
    } else if !query.is_empty() {
        "has a query (`?…`)"
    } else if let Some(reason) = wrong_host(host) {
        reason
    } else {
        return;
    };
    let help = "write `https://host:port/path`, without user, query or fragment";
    found.add(
        Class::Conversion,
        node,
        format!("the address of the webhook {reason}: `{url}`"),
        help,
    );
}

/// What is wrong with a host and its port, as servers read them.
fn wrong_host(host: &str) -> Option<&'static str> {
    let (name, port) = match host.strip_prefix('[') {
        Some(rest) => match rest.rsplit_once(']') {
            Some((address, port)) => (address, port),
            None => return Some("has an address without a closing `]`"),
        },
        None => host.rfind(':').map_or((host, ""), |at| host.split_at(at)),
    };
    let digits = if port.is_empty() {
        Some("")
    } else {
        port.strip_prefix(':')
    };
    if !digits.is_some_and(|digits| digits.bytes().all(|digit| digit.is_ascii_digit())) {
        return Some("has no valid port");
    }
    name.chars()
        .any(|sign| sign.is_ascii() && !sign.is_ascii_alphanumeric() && !HOST_SIGNS.contains(sign))
        .then_some("has a character that no host can have")
}

/// What the name of a host may have beside letters and digits.
const HOST_SIGNS: &str = "-_.~!$&'()*+,;=:[]<>\"%";

fn check_service(service: &Node<'_, '_>, found: &mut Refusals) {
    // The server names one for the other.
    for (key, named) in [("name", "namespace"), ("namespace", "name")] {
        if service.value.text(key).is_empty() {
            let message = format!("the service of the webhook has no {key}");
            let node = service.named(service.path.child(named));
            found.add(Class::Conversion, &node, message, format!("set `service.{key}`"));
        }
    }
    if let Some(port) = service.child("port")
        && let Tree::Number(number) = port.value
        && !number.as_i64().is_some_and(|port| (1..=65535).contains(&port))
    {
        found.add(
            Class::Conversion,
            &port,
            format!("{number} is no port"),
            "use a port from 1 to 65535",
        );
    }
    if let Some(path) = service.child("path")
        && let Tree::Text(text) = path.value
        && let Some(reason) = wrong_path(text)
    {
        let help = "write `/` and steps of lower-case letters, digits, `-` and `.`";
        found.add(
            Class::Conversion,
            &path,
            format!("the path of the webhook {reason}: `{text}`"),
            help,
        );
    }
}

fn wrong_path(path: &str) -> Option<&'static str> {
    if matches!(path, "" | "/") {
        return None;
    }
    let Some(rest) = path.strip_prefix('/') else {
        return Some("does not begin with `/`");
    };
    let mut steps = rest.strip_suffix('/').unwrap_or(rest).split('/');
    steps.find_map(|step| match step {
        "" => Some("has an empty step"),
        step if !is_subdomain(step) => Some("has a step that servers do not accept"),
        _ => None,
    })
}

fn check_reviews(conversion: &Node<'_, '_>, reviews: Option<&Node<'_, '_>>, found: &mut Refusals) {
    let key = "conversionReviewVersions";
    let help =
        "write `conversionReviewVersions: [v1]`, the versions of `ConversionReview` that the webhook understands";
    let path: Path<'_> = conversion.path.child(key);
    let Some(reviews) = reviews.map(|reviews| reviews.named(path)) else {
        found.add_key(
            Class::Conversion,
            conversion,
            key,
            ("the webhook names no `conversionReviewVersions`", help),
        );
        return;
    };
    let mut seen = BTreeSet::new();
    for item in reviews.items() {
        let version = match item.value {
            Tree::Text(version) => version.as_str(),
            _ => "",
        };
        if !seen.insert(version) {
            found.add(
                Class::Conversion,
                &item,
                format!("`{version}` is listed twice"),
                "remove one",
            );
        } else if !is_label(version) {
            let message = format!("`{version}` cannot be the name of a version");
            found.add(Class::Conversion, &item, message, format!("use {LABEL}"));
        }
    }
    if seen.is_empty() {
        found.add(Class::Conversion, &reviews, "`conversionReviewVersions` is empty", help);
    } else if !REVIEWS.iter().any(|known| seen.contains(known)) {
        let message = "`conversionReviewVersions` has no version that servers understand: `v1` or `v1beta1`";
        found.add(Class::Conversion, &reviews, message, help);
    }
}
