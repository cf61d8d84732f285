//! The tables of the grammar as the page `model` shows them.

use super::FileSection;
use super::element_kind::ELEMENTS;
use super::keys::{CALENDAR, EXTRA_KIND, FILE, GATE_SPEC, GROUP, KIND, KeyTable, METRIC_SPEC, PROGRAM};

/// The tables of the page `model` in its order, as Markdown: the keys, and last the forms of ids.
pub(crate) fn page_tables() -> Vec<String> {
    let mut tables = vec![FILE, CALENDAR];
    for row in &ELEMENTS {
        let (before, after) = around(row.section);
        for table in before.into_iter().chain([row.keys]).chain(after) {
            if !tables.iter().any(|shown| table.iter().all(|key| shown.contains(key))) {
                tables.push(table);
            }
        }
    }
    tables.into_iter().map(key_table).chain([id_table()]).collect()
}

/// The tables of a section that are not those of elements: before the first of elements, and after it.
fn around(section: FileSection) -> (Option<KeyTable>, Option<KeyTable>) {
    match section {
        FileSection::Group | FileSection::Config => (Some(GROUP), Some(KIND)),
        FileSection::Cli => (Some(PROGRAM), None),
        FileSection::Gate => (None, Some(GATE_SPEC)),
        FileSection::Metric => (None, Some(METRIC_SPEC)),
        FileSection::Behavior => (None, None),
        FileSection::Extra => (Some(EXTRA_KIND), None),
    }
}

fn key_table(keys: KeyTable) -> String {
    let rows = keys.iter().map(|(key, meaning)| format!("| `{key}` | {meaning} |\n"));
    format!("| key | value |\n| --- | --- |\n{}", rows.collect::<String>())
}

fn id_table() -> String {
    let rows = ELEMENTS
        .iter()
        .map(|row| format!("| {} | `{}` | `{}` |\n", row.name, row.form, row.example));
    format!(
        "| element | id | example |\n| --- | --- | --- |\n{}",
        rows.collect::<String>()
    )
}

mod tests {
    use super::super::{ElementKind, ElementPath, EntryKey, names};
    use super::*;

    #[test]
    fn every_kind_has_its_row_whose_example_is_an_id_of_it() {
        for kind in ElementKind::ALL {
            let example = kind.row().example;
            let path = ElementPath::parse(example).expect(example);
            assert_eq!((path.element_kind(), path.to_string().as_str()), (kind, example));
            if kind != ElementKind::Extra {
                assert_eq!(
                    path.keys().first().map(String::as_str),
                    Some(kind.row().section.as_str())
                );
            }
            assert!(names(FILE).contains(&kind.row().section.as_str()), "{example}");
        }
    }

    #[test]
    fn keys_stand_in_the_order_in_which_they_are_written() {
        for row in &ELEMENTS {
            let ranks = row.keys.iter().map(|(key, _)| EntryKey::rank(key));
            assert!(ranks.is_sorted_by(|a, b| a < b), "{}", row.name);
            for (key, _) in row.keys {
                assert_eq!(EntryKey::parse(key).map(EntryKey::as_str), Some(*key));
            }
        }
        for key in EntryKey::ALL {
            assert!(ElementKind::ALL.iter().any(|kind| kind.has_key(key)), "{key:?}");
        }
    }
}
