//! The timeline as a page: what it shows, and what it must never do. `tests/browser` tests it in a browser.

#![cfg(test)]

use data_encoding::BASE64;
use lifecycle::Sources;
use lifecycle::render::formats::PICTURE_FORMATS;
use sha2::{Digest, Sha256};

use crate::support::evaluate;

const WIDGET: &str = include_str!("../../examples/widget-timeline.toml");

const HOSTILE: &str = concat!(
    "\n",
    calendar!(current "1.1", to "1.2"),
    r#"[group.'<script>alert("1")</script>.example.com']
owner = "</script><img src=x onerror=alert('2')>"
[group.'<script>alert("1")</script>.example.com'.version]
v1beta1 = { introduced = "1.0", deprecated = "1.1", tracking = "a \u001b[31m \u0085 \u202e \u2066 & \"b\" <!--" }
v1 = { introduced = "1.0" }
[behavior."\u202egnp.exe"]
introduced = "1.0"
[behavior.'" onmouseover="alert(3)']
introduced = "1.0"
[behavior."{{ page.data }} ]]> --> \u2028"]
introduced = "1.0"
"#
);

fn page(model: &str) -> String {
    let mut sources = Sources::new();
    sources.add("lifecycle.toml", model);
    let evaluation = evaluate(model).expect("the model can be read");
    let html = PICTURE_FORMATS.iter().find(|format| format.name == "html");
    let mut page = Vec::new();
    (html.expect("it is a format").write)(&evaluation.picture(&sources), &mut page).expect("the template fits");
    String::from_utf8(page).expect("the page is UTF-8")
}

/// What is between the first occurrences of two texts.
fn between<'t>(text: &'t str, start: &str, end: &str) -> &'t str {
    let (_, rest) = text.split_once(start).expect("it begins");
    rest.split_once(end).expect("it ends").0
}

#[test]
fn the_same_model_makes_the_same_page() {
    assert_eq!(page(WIDGET), page(WIDGET));
    assert_eq!(page(HOSTILE), page(HOSTILE));
}

#[test]
fn nothing_a_user_types_is_markup() {
    let page = page(HOSTILE);
    let elements = |name: &str| page.matches(&format!("<{name}")).count();
    assert_eq!(elements("script"), 2, "the data and the script");
    assert_eq!(elements("img"), 0);
    assert!(!page.contains("onmouseover=\"alert"));
    assert!(page.contains("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;.example.com"));
    assert!(page.contains("&quot; onmouseover=&quot;alert(3)"));
    let data = between(&page, "id=\"picture\">", "</script>");
    assert!(!data.contains('<'), "nothing in the data ends it");
    let data: serde_json::Value = serde_json::from_str(data).expect("the data is JSON");
    assert_eq!(
        data["groups"][0]["group"], "<script>alert(\"1\")</script>.example.com",
        "and says what was typed"
    );
}

#[test]
fn no_character_of_a_user_changes_the_direction_of_text() {
    let moves = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let page = page(HOSTILE);
    assert_eq!(page.chars().filter(|c| moves(*c)).count(), 0);
    assert!(page.contains("\u{fffd}gnp.exe"));
}

#[test]
fn the_page_loads_nothing() {
    let page = page(WIDGET);
    for scheme in [
        "http:", "https:", "url(", "@import", "src=", "<link", "<base", "<iframe",
    ] {
        assert!(!page.contains(scheme), "{scheme}");
    }
}

#[test]
fn the_page_allows_its_own_script_and_no_other() {
    let page = page(WIDGET);
    let script = between(&page, "<script>", "</script>");
    let hash = BASE64.encode(&Sha256::digest(script));
    let policy = between(&page, "http-equiv=\"Content-Security-Policy\" content=\"", "\"");
    assert_eq!(
        policy,
        format!(
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'"
        ),
        "templates/timeline.html is to name this hash of templates/timeline.js"
    );
}

#[test]
fn every_row_has_its_life_as_a_sentence() {
    let page = page(WIDGET);
    for words in [
        "beta api-version: served from X+3, deprecated from X+5 (planned), removed from X+8 (planned). \
         Preferred from X+4 until X+6. Stored from X+4 until X+6. Removal not before X+8.",
        "GA gate: alpha served from X+6, beta served from X+7, GA deprecated from X+9, removed from X+11 (planned). \
         Removal not before X+11.",
        "GA cli-flag: served from X, deprecated from X+3, removed from X+6 (planned). Removal not before X+6.",
    ] {
        assert!(page.contains(words), "{words}");
    }
}
