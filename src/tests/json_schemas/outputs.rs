//! The schemas of what `--format json` prints, from the types of reports.

use lifecycle::report::{
    ByWhenReport, ComparisonReport, Derivation, DerivationsReport, DiffReport, EffectiveReport, Evidence,
    ExceptionsReport, NotesReport, PictureReport, PromisesReport, RecordReport, Report, RolloutReport, RulesReport,
    SideBySideReport, TasksReport, WhatIfReport,
};
use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema};
use serde_json::Value as Json;

/// What `why` prints: about one element, or about several.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
enum Why<'a> {
    One(Box<Derivation<'a>>),
    Several(DerivationsReport<'a>),
}

/// The schema of each output, by the name of its file.
pub fn schemas() -> Vec<(&'static str, Json)> {
    vec![
        ("agenda", of::<TasksReport<'_>>()),
        ("by-when", of::<ByWhenReport<'_>>()),
        ("compare", of::<ComparisonReport>()),
        ("diff", of::<DiffReport>()),
        ("exceptions", of::<ExceptionsReport<'_>>()),
        ("notes-context", of::<NotesReport<'_>>()),
        ("plan", of::<Report<'_>>()),
        ("policies", of::<EffectiveReport<'_>>()),
        ("promises", of::<PromisesReport<'_>>()),
        ("propose", of::<RolloutReport<'_>>()),
        ("render", of::<PictureReport<'_>>()),
        ("report", of::<RecordReport<'_>>()),
        ("rules", of::<RulesReport<'_>>()),
        ("usage", of::<Evidence>()),
        ("what-if", of::<WhatIfReport<'_>>()),
        ("what-if-beside", of::<SideBySideReport<'_>>()),
        ("why", of::<Why<'_>>()),
    ]
}

fn of<T: JsonSchema>() -> Json {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let generator = settings.with_transform(PlainText).into_generator();
    generator.into_root_schema_for::<T>().into()
}

/// Takes the links of Rust's documentation out of descriptions.
#[derive(Debug, Clone)]
struct PlainText;

impl Transform for PlainText {
    fn transform(&mut self, schema: &mut Schema) {
        if let Some(Json::String(text)) = schema.get_mut("description") {
            *text = without_links(text);
        }
        transform_subschemas(self, schema);
    }
}

/// The text with "[`Name`](path)" and "[`Name`]" as `Name`.
fn without_links(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, (name, after))) = rest
        .split_once("[`")
        .and_then(|(before, link)| Some((before, link.split_once("`]")?)))
    {
        plain.push_str(before);
        plain.push('`');
        plain.push_str(name);
        plain.push('`');
        let path = after.strip_prefix('(').and_then(|path| path.split_once(')'));
        rest = path.map_or(after, |(_, rest)| rest);
    }
    plain + rest
}

#[test]
fn links_are_taken_out_of_descriptions() {
    assert_eq!(without_links("[`A`](super::A), or [`B`]."), "`A`, or `B`.");
    assert_eq!(without_links("`A` [b](c)"), "`A` [b](c)");
}
