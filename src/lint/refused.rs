//! What servers refuse in a CRD, by check and code.

use crate::diagnostic::{Diagnostic, Fact, Severity};
use crate::grammar::{KindPath, MemberName};
use crate::schema::Tree;
use crate::server::{Class, Refusal};
use crate::source::{Location, Span};

use super::{Check, default_invalid, leftover, list_type};

pub(super) const CHECK: Check = Check {
    slug: "crd-refused",
    title: "Servers refuse this CRD.",
    page: include_str!("refused.md"),
    codes: &[
        ("undecodable", Severity::Error),
        ("metadata", Severity::Error),
        ("group", Severity::Error),
        ("names", Severity::Error),
        ("versions", Severity::Error),
        ("conversion", Severity::Error),
        ("subresources", Severity::Error),
        ("columns", Severity::Error),
        ("selectable-fields", Severity::Error),
        ("structure", Severity::Error),
        ("int-or-string", Severity::Error),
        ("keyword", Severity::Error),
        ("object-metadata", Severity::Error),
        ("pattern", Severity::Error),
        ("list-type", Severity::Error),
        ("rule", Severity::Error),
        ("rule-cost", Severity::Error),
        ("rule-unjudged", Severity::Note),
    ],
    opt_in: false,
    run: None,
};

/// The check and the code of a refusal.
pub(super) fn code(class: Class) -> (&'static Check, &'static str) {
    match class {
        Class::Undecodable => (&CHECK, "undecodable"),
        Class::KeywordValue => (&leftover::CHECK, "keyword-value"),
        Class::Metadata => (&CHECK, "metadata"),
        Class::Group => (&CHECK, "group"),
        Class::Names => (&CHECK, "names"),
        Class::Versions => (&CHECK, "versions"),
        Class::Conversion => (&CHECK, "conversion"),
        Class::Subresources => (&CHECK, "subresources"),
        Class::Columns => (&CHECK, "columns"),
        Class::SelectableFields => (&CHECK, "selectable-fields"),
        Class::Structural => (&CHECK, "structure"),
        Class::IntOrString => (&CHECK, "int-or-string"),
        Class::Keyword => (&CHECK, "keyword"),
        Class::ObjectMetadata => (&CHECK, "object-metadata"),
        Class::Pattern => (&CHECK, "pattern"),
        Class::ListType => (&CHECK, "list-type"),
        Class::ListKeys => (&list_type::CHECK, "keys"),
        Class::SetItems => (&list_type::CHECK, "set-of-objects"),
        Class::DefaultValue => (&default_invalid::CHECK, "value"),
        Class::DefaultMissing => (&default_invalid::CHECK, "missing-field"),
        Class::DefaultUnknown => (&default_invalid::CHECK, "unknown-field"),
        Class::Rule => (&CHECK, "rule"),
        Class::RuleCost => (&CHECK, "rule-cost"),
        Class::RuleUnjudged => (&CHECK, "rule-unjudged"),
    }
}

/// A refusal as a finding; `span` finds its place in the file.
pub(super) fn finding(
    refusal: Refusal,
    definition: &Tree,
    span: impl Fn(Option<Location>) -> Option<Span>,
) -> Diagnostic {
    let (check, code) = code(refusal.class);
    let message = match refusal.field.as_str() {
        "" => refusal.message.clone(),
        field => format!("`{field}`: {}", refusal.message),
    };
    let place = span(refusal.place);
    let element = element(definition, &refusal);
    let mut finding = Diagnostic::error(check.slug, code, message).help(refusal.help);
    if let Some((kind, element)) = element {
        finding = finding.about(element);
        finding.because.push(Fact {
            text: format!("in {kind}"),
            ..Fact::default()
        });
    }
    if refusal.class != Class::RuleUnjudged {
        finding.because.push(Fact {
            text: format!("servers refuse this CRD, for {}", refusal.path),
            ..Fact::default()
        });
    }
    match place {
        Some(place) => finding.at(place, ""),
        None => finding,
    }
}

/// The version of a kind and the part of it that a refusal is about; `None` where the CRD does not name them.
fn element(definition: &Tree, refusal: &Refusal) -> Option<(String, String)> {
    let spec = definition.get("spec")?;
    let (group, kind) = (spec.text("group"), spec.get("names")?.text("kind"));
    let versions = spec.items("versions");
    let stored = versions.iter().find(|version| version.value.says("storage"));
    let version = match refusal.version {
        Some(at) => versions.get(at),
        None => stored.or(versions.first()),
    };
    let version = version.map_or("", |version| version.value.text("name"));
    if [group, kind, version].contains(&"") {
        return None;
    }
    let path = KindPath::api(group, version, kind);
    let kind = path.to_string();
    let element = match refusal.field.as_str() {
        "" => kind.clone(),
        field => path.with_member(MemberName::of_field(field)).to_string(),
    };
    Some((kind, element))
}
