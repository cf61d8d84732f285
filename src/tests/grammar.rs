//! The table of element kinds, held against the page that explains it and the model that shows each kind.

use std::collections::BTreeSet;
use std::path::Path;

use lifecycle::FileId;
use lifecycle::grammar::{ElementKind, ElementPath, page_tables};
use lifecycle::model::Model;
use lifecycle::{Diagnostics, Document};

use super::cases::cases;
use super::support::{agrees_with_snapshot, findings};

const PAGE: &str = include_str!("../../tests/../src/model/model.md");

/// The page with the tables of the grammar in place of its own.
fn regenerated() -> String {
    let mut tables = page_tables().into_iter();
    let mut page = String::new();
    let mut is_replaced = false;
    for line in PAGE.lines() {
        let is_head = line.starts_with("| key |") || line.starts_with("| element |");
        if is_head {
            page.push_str(&tables.next().expect("the page has more tables than the grammar"));
        }
        is_replaced = is_head || is_replaced && line.starts_with('|');
        if !is_replaced {
            page.push_str(line);
            page.push('\n');
        }
    }
    assert_eq!(tables.next(), None, "the page lacks a table of the grammar");
    page
}

#[test]
fn the_tables_of_the_page_are_those_of_the_grammar() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/model/model.md");
    agrees_with_snapshot(&path, &regenerated());
}

fn model(text: &str) -> Model {
    Model::read(&[Document::parse(FileId(0), text)], &mut Diagnostics::default()).expect("the model can be read")
}

/// The kinds of which models have no element.
fn kinds_without_element(models: &[&Model]) -> Vec<ElementKind> {
    let elements = models.iter().flat_map(|model| model.elements());
    let seen: BTreeSet<ElementKind> = elements.map(|(_, element)| element.kind).collect();
    ElementKind::ALL
        .into_iter()
        .filter(|kind| !seen.contains(kind))
        .collect()
}

#[test]
fn the_example_of_the_readme_has_an_element_of_each_built_in_kind() {
    let example = include_str!("../../tests/../examples/widget-timeline.toml");
    // Elements of other kinds are in the example of a product.
    assert_eq!(kinds_without_element(&[&model(example)]), [ElementKind::Extra]);
}

#[test]
fn findings_about_each_kind_of_element_are_marked_in_cases() {
    let cases = cases();
    let found = cases.values().flat_map(|text| findings(text));
    let about: BTreeSet<ElementKind> = found
        .filter_map(|finding| Some(finding.element?.parse::<ElementPath<'_>>().ok()?.element_kind()))
        .collect();
    let silent: Vec<ElementKind> = ElementKind::ALL
        .into_iter()
        .filter(|kind| !about.contains(kind))
        .collect();
    assert_eq!(silent, []);
}

/// A member has its id for a name, which needs no words.
#[test]
fn the_words_of_notes_name_each_kind_of_element_that_is_no_member() {
    let words = include_str!("../../tests/../templates/notes/words.md");
    for kind in ElementKind::ALL.into_iter().filter(|kind| !kind.is_member()) {
        let word = match kind {
            // The word of such a kind is data.
            ElementKind::Extra => "of.kind_word".to_owned(),
            _ => format!("\"{}\"", kind.as_str()),
        };
        assert!(words.contains(&word), "{kind:?}");
    }
}

#[test]
fn a_life_refuses_the_keys_of_its_element_and_does_not_propose_them() {
    let mut found = Diagnostics::default();
    let text = "calendar.releases = { \"1.0\" = 2024-01-01 }\n[cli.x]\naudience = \"user\"\n\
                command.y = { lives = [{ introduced = \"1.0\", flag = {}, flagg = {} }] }\n";
    assert!(Model::read(&[Document::parse(FileId(0), text)], &mut found).is_none());
    let found = found.into_vec();
    let said: Vec<_> = found
        .iter()
        .map(|error| (&*error.message, error.help.as_deref()))
        .collect();
    assert_eq!(
        said[0],
        ("a life has no `flag` of its own", Some("move it next to `lives`"))
    );
    assert_eq!(said[1].0, "unknown key `flagg`");
    assert!(!said[1].1.expect("it has a help").contains("`flag`"), "{said:?}");
}

#[test]
fn the_page_shows_one_element_of_each_kind_and_the_model_finds_it_by_its_path() {
    let example = PAGE
        .split("```toml\n")
        .find(|block| block.contains("[behavior.paint-dries-overnight]"))
        .and_then(|block| block.split("```").next())
        .expect("the page has the example");
    let model = model(example);
    assert_eq!(kinds_without_element(&[&model]), []);
    for (id, element) in model.elements() {
        assert_eq!(element.path().element_kind(), element.kind);
        assert_eq!(model.find_path(&element.path()), Some(id), "{}", model.id(id));
    }
}
