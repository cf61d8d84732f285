//! Documents in YAML, read as servers read them.

use std::borrow::Cow;

use memchr::memmem::find;
use serde::de::DeserializeOwned;
use serde_saphyr::DuplicateKeyPolicy;

use super::meant::is_json;
use crate::schema::quoted;
use crate::schema::tree::Tree;
use crate::text::{MOST_NODES, limits, read_simple};

/// The most quoted strings of one document that are indented for the parser.
const MOST_FIXED: usize = 100;

/// A document in YAML, every value with its place. Of repeated keys the last one counts, as for `kubectl`.
pub(crate) fn read_yaml(document: &str) -> Result<Tree, Box<serde_saphyr::Error>> {
    let problem = match with_fixed_quotes(document) {
        Ok(tree) => return Ok(tree),
        Err(problem) => problem,
    };
    if !problem.to_string().contains(REPEATED_KEY) {
        return Err(problem);
    }
    let mut options = limits(MOST_NODES);
    options.duplicate_keys = DuplicateKeyPolicy::LastWins;
    Ok(serde_saphyr::from_str_with_options(document, options)?)
}

/// The parser error for a key that a table has twice.
const REPEATED_KEY: &str = "duplicate mapping key";

/// A document in YAML; quoted strings that continue without indentation are indented.
pub(super) fn with_fixed_quotes<T: DeserializeOwned>(document: &str) -> Result<T, Box<serde_saphyr::Error>> {
    let document = &*with_folded_lines(document);
    if let Some(read) = read_simple(document) {
        return Ok(read);
    }
    let first = match serde_saphyr::from_str_with_options(document, limits(MOST_NODES)) {
        Ok(read) => return Ok(read),
        Err(problem) => problem,
    };
    let mut fixed = quoted::fixed(document, &first);
    for _ in 0..MOST_FIXED {
        let Some(text) = fixed else { break };
        match serde_saphyr::from_str_with_options(&text, limits(MOST_NODES)) {
            Ok(read) => return Ok(read),
            Err(problem) => fixed = quoted::fixed(&text, &problem),
        }
    }
    Err(Box::new(first))
}

/// A document in which U+0085 is a blank. Servers read YAML 1.1, where this character breaks a line, and texts join
/// lines with a blank. The reader of YAML 1.2 keeps it.
fn with_folded_lines(document: &str) -> Cow<'_, str> {
    const NEXT_LINE: &str = "\u{85}";
    if is_json(document) || find(document.as_bytes(), NEXT_LINE.as_bytes()).is_none() {
        Cow::Borrowed(document)
    } else {
        Cow::Owned(document.replace(NEXT_LINE, " "))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Parts of lines, of which documents are made that are YAML now and then.
    const PARTS: &str = r#"a: b;b:;c: d e;d: 1;e: -7;f: 1.5;g: true;h: no;i: ~;j: null;k: {};l: [];- x;-;- a: 1;- - x;- b:;
- 'q';- "q";- |-;- |+;- {};- 0;- 1.2.3;- 30s;- 0x1f;m: |;n: |-;o: >;p: |+;q: |2;r: 'it''s';s: "a \"b\" \n c";t: "x;y";
u: 'x;y';v: "x\;\ y";more text;- more;# comment;w: x # comment;x: 'y' # comment;;  ;"k": v;'k': v;k : v;1: v;yes: v;
é: ü;ü;a b: c;a:b;a: b:c;a: b: c;a: b#c;x: "\u00e9\x41\t";x: &a b;y: *a;z: !t b;<<: {};? x;: y;x: [a, "b", 'c', 1];
x: [a b];x: [a, ];x: {a: b};---;...;x: -;x: - y;z: 1e3;z: 007;z: .5;z: .inf;z: Null;z: NaN;a.b/c: d;"a: b;[];{};''"#;

    /// A document with what programs write.
    const WRITTEN: &str = r#"---
# Made by a program.
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  annotations: {}
  name: "cars.example.com"
spec:
  conversion: # by a webhook
    conversionReviewVersions: ["v1", v1beta1]
  versions:
  - name: v1
    served: true
    schema:
      openAPIV3Schema:
        description: |-
          A car.

            It has wheels.
        properties:
          wheels:
            default: 4
            description: 'How many wheels it has:
              the driver''s is none of them.'
            maximum: 1.5
            type: integer
          doors:
            description: "Its \"doors\", \n one
              by one"
            enum:
            - null
            - 3
            - two
          size:
            description: more than one line
              of text

              and a break
            items:
            - - a
              - b: |+
                  c

    status:
"#;

    fn document() -> impl Strategy<Value = String> {
        let parts: Vec<&str> = PARTS.split(';').map(|part| part.trim_matches('\n')).collect();
        let line = (0..4_usize, prop::sample::select(parts));
        let line = line.prop_map(|(depth, part)| format!("{}{part}\n", " ".repeat(2 * depth)));
        prop::collection::vec(line, 1..8).prop_map(|lines| lines.concat())
    }

    fn assert_same(document: &str) -> bool {
        let fast: Option<Tree> = read_simple(document);
        if fast.is_some() {
            let full = serde_saphyr::from_str_with_options(document, limits(MOST_NODES));
            assert_eq!(fast, full.ok(), "{document}");
        }
        fast.is_some()
    }

    proptest! {
        #[test]
        fn what_is_read_fast_is_what_the_full_reader_reads(text in document()) {
            assert_same(&text);
        }

        #[test]
        fn a_changed_document_is_read_as_the_full_reader_reads_it(
            at in any::<prop::sample::Index>(),
            put in "[-:#'\"\n\\\\| a\\[\\]{}&.1]{0,2}",
            taken in 0..3_usize,
        ) {
            let characters: Vec<char> = WRITTEN.chars().collect();
            let at = at.index(characters.len() + 1);
            let rest = characters.get(at + taken..).unwrap_or_default();
            let changed: String = characters[..at].iter().copied().chain(put.chars()).chain(rest.iter().copied()).collect();
            assert_same(&changed);
        }
    }

    #[test]
    fn what_programs_write_is_read_fast() {
        assert!(assert_same(WRITTEN));
    }

    #[test]
    fn what_is_not_simple_is_for_the_full_reader() {
        for document in [
            "a: &b c",
            "a: *b",
            "a: !b c",
            "<<: {}",
            "? a",
            "{a: b}",
            "a: [[b]]",
            "a: b\na: c",
            "a: b\r\nc: d\r\n",
            "a: b\n...\n",
            "a: >\n  b\n",
            "a: 0x10",
            "a: b\n c: d",
            "1: a",
            "a",
            "",
        ] {
            assert!(read_simple::<Tree>(document).is_none(), "{document}");
        }
        for (depth, is_read) in [(100, true), (200, false)] {
            let lines: Vec<String> = (0..depth).map(|level| format!("{}a:\n", " ".repeat(level))).collect();
            assert_eq!(read_simple::<Tree>(&lines.concat()).is_some(), is_read, "{depth}");
        }
    }
}
