//! The page on the keys of policy files, made from what the readers of policies and the rules declare that they read.

use std::fmt::Write as _;

use crate::policy::{Class, Key, POLICY_KEYS, RuleTable, Shape};
use crate::rules;

use super::pages::rule_tables;

const HEAD: &str = "# policy

The keys of a policy file, rule by rule.

A policy says which rules are in force, the numbers of each, and how severe their findings are. A product names one in its
model (`policy = \"kubernetes\"`), or a file of its own that extends one:

```toml
name = \"ours\"
extends = \"kubernetes\"

[rule.version-lifetime]
beta = { after-deprecation = { months = 12, releases = 3 } }
severity = { overdue = \"error\" }
```

`lifecycle policies` lists the built-in ones, and `lifecycle policies show --effective` prints what is in force.

";

const RULES: &str = "
## Rules

`[rule.NAME]` puts a rule in force. These keys stand in the table of every rule:

| key | what it sets |
| --- | --- |
| `number` | its number in the text of the policy |
| `severity` | by finding: `\"error\"`, `\"warning\"`, `\"note\"` or `\"off\"`, or one by track: `{ alpha = \"off\", ga = \"error\" }` |
| `off` | `true`: the rule of the extended policy is not in force |

What a rule reads besides is listed below. Any other key is an error. A key of a class is written `CLASS.KEY`, as in
`beta.after-deprecation`. `lifecycle explain windows` has all that a window can count.
";

/// The page.
pub fn policy_page() -> String {
    let mut page = HEAD.to_owned();
    page.push_str("| key | what it is |\n| --- | --- |\n");
    for (key, meaning) in POLICY_KEYS {
        let _ = writeln!(page, "| `{key}` | {meaning} |");
    }
    page.push_str(RULES);
    let (of_law, outside): (Vec<_>, Vec<_>) = rule_tables().into_iter().partition(|table| table.keys.is_some());
    for table in &of_law {
        rule(&mut page, table);
    }
    page.push_str("\n## Findings outside the rules\n\nTheir tables have severities only:\n\n");
    page.push_str("| table | findings |\n| --- | --- |\n");
    for table in &outside {
        let _ = writeln!(page, "| `[rule.{}]` | {} |", table.slug, listed(&table.codes));
    }
    page
}

/// What one rule reads, with an example.
fn rule(page: &mut String, table: &RuleTable) {
    let Some(keys) = table.keys else { return };
    let title = rules::find(table.slug).map_or("", |rule| rule.title());
    let _ = writeln!(page, "\n### {}\n\n{title}\n", table.slug);
    let mut example = format!("[rule.{}]\n", table.slug);
    let groups = alike(keys.classes);
    let only_step = keys.only_step;
    if !groups.is_empty() || !keys.exemptions.is_empty() || keys.until_replacement {
        page.push_str("| class | key | value | what it sets |\n| --- | --- | --- | --- |\n");
    }
    for (classes, keys) in &groups {
        let names: Vec<&str> = classes.iter().map(|class| class.as_str()).collect();
        for (at, key) in keys.iter().enumerate() {
            let class = if at == 0 { listed(&names) } else { String::new() };
            let (name, mut value) = (key.as_str(), example_of(*key).to_owned());
            if let (Key::Steps, Some(only)) = (*key, only_step) {
                value = format!("[{{ name = \"{only}\", after = {{ releases = 1 }} }}]");
            }
            let _ = writeln!(page, "| {class} | `{name}` | `{value}` | {} |", key.meaning());
        }
    }
    for (class, keys) in keys.classes {
        if let Some(key) = keys.first() {
            let _ = writeln!(
                example,
                "{} = {{ {} = {} }}",
                class.as_str(),
                key.as_str(),
                example_of(*key)
            );
        }
    }
    if let Some(first) = keys.exemptions.first() {
        let known = listed(keys.exemptions);
        let _ = writeln!(page, "| | `exempt` | `[\"{first}\"]` | the exempt cases, of {known} |");
        let _ = writeln!(example, "exempt = [\"{first}\"]");
    }
    if keys.until_replacement {
        let meaning = "nothing is deprecated before its replacement has been released";
        let _ = writeln!(page, "| | `until-replacement-released` | `true` | {meaning} |");
        example.push_str("until-replacement-released = true\n");
    }
    if let Some(code) = table.codes.first() {
        let _ = writeln!(example, "severity = {{ {code} = \"warning\" }}");
    }
    if keys.by_kind {
        page.push_str("\nThe name of a kind of elements stands for a class too, and may have tables by class: ");
        page.push_str("`endpoint = { after-deprecation = { months = 6 } }`.\n");
    }
    for class in meanings(keys.classes) {
        page.push_str(&class);
    }
    let _ = writeln!(page, "\nFindings: {}.\n\n```toml\n{example}```", listed(&table.codes));
}

/// What the classes are whose names do not say it.
fn meanings(classes: &[(Class, &[Key])]) -> Vec<String> {
    let classes = classes.iter().map(|(class, _)| class);
    let unclear = classes.filter(|class| !matches!(class, Class::Alpha | Class::Beta | Class::Ga));
    let lines: Vec<String> = unclear
        .map(|class| format!("- `{}`: {}\n", class.as_str(), class.meaning()))
        .collect();
    let gap = (!lines.is_empty()).then(|| "\n".to_owned());
    gap.into_iter().chain(lines).collect()
}

/// Classes that have the same keys, together.
fn alike<'k>(classes: &[(Class, &'k [Key])]) -> Vec<(Vec<Class>, &'k [Key])> {
    let mut groups: Vec<(Vec<Class>, &[Key])> = Vec::new();
    for (class, keys) in classes {
        match groups.iter_mut().find(|(_, known)| known == keys) {
            Some((known, _)) => known.push(*class),
            None => groups.push((vec![*class], keys)),
        }
    }
    groups
}

fn listed(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

/// A value of a key.
fn example_of(key: Key) -> &'static str {
    match key.shape() {
        Shape::Window => "{ months = 9, releases = 3 }",
        Shape::FullWindow => "{ months = 12, releases = 2 }",
        Shape::Kinds => "[\"minor\"]",
        Shape::Steps => "[{ name = \"runtime\", duty = \"warn\", required = true }]",
        Shape::Removal => "\"next-major\"",
        Shape::Switch => "false",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Diagnostics, Document};
    use crate::policy::Policy;
    use crate::source::FileId;

    #[test]
    fn the_examples_of_the_page_are_policies_without_errors() {
        let page = policy_page();
        let examples: Vec<&str> = page
            .split("```toml\n")
            .skip(1)
            .filter_map(|rest| rest.split("```").next())
            .collect();
        assert_eq!(examples.len(), 1 + rules::RULES.len());
        for example in examples.into_iter().skip(1) {
            let text = format!("name = \"ours\"\n{example}");
            let mut diagnostics = Diagnostics::default();
            Policy::read(
                &Document::parse(FileId(0), &text),
                None,
                &rule_tables(),
                &mut diagnostics,
            );
            assert!(diagnostics.is_empty(), "{text}\n{:?}", diagnostics.into_vec());
        }
    }

    #[test]
    fn the_page_names_every_class_and_key_that_a_rule_reads() {
        let page = policy_page();
        for table in rule_tables() {
            let part = page
                .split("\n### ")
                .find(|part| part.starts_with(&format!("{}\n", table.slug)));
            for (class, keys) in table.keys.map_or(&[][..], |keys| keys.classes) {
                let part = part.expect("a rule has a part of the page");
                assert!(part.contains(&format!("`{}`", class.as_str())), "{}", table.slug);
                assert!(
                    keys.iter().all(|key| part.contains(&format!("| `{}` |", key.as_str()))),
                    "{}",
                    table.slug
                );
            }
        }
    }
}
