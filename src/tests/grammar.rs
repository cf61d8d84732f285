//! The table of element kinds, held against the page that explains it and the model that shows each kind.

use std::collections::BTreeSet;
use std::path::Path;

use lifecycle::FileId;
use lifecycle::grammar::{ElementKind, page_tables};
use lifecycle::model::Model;
use lifecycle::{Diagnostics, Document};

use super::support::agrees_with_snapshot;

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

#[test]
fn the_page_shows_one_element_of_each_kind_and_the_model_finds_it_by_its_path() {
    let example = PAGE
        .split("```toml\n")
        .find(|block| block.contains("[behavior.paint-dries-overnight]"))
        .and_then(|block| block.split("```").next())
        .expect("the page has the example");
    let model = Model::read(&[Document::parse(FileId(0), example)], &mut Diagnostics::default())
        .expect("the example can be read");
    let kinds: BTreeSet<ElementKind> = model.elements().map(|(_, element)| element.kind).collect();
    assert_eq!(kinds.len(), ElementKind::ALL.len(), "{kinds:?}");
    for (id, element) in model.elements() {
        assert_eq!(element.path().element_kind(), element.kind);
        assert_eq!(model.find_path(&element.path()), Some(id), "{}", model.id(id));
    }
}
