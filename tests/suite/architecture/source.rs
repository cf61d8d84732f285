//! Rust source as tokens, without comments and tests: as much of the language as the architecture needs.

/// A token and the line it begins on. `||`, `::` and `=>` are one token, any other sign is one character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'t> {
    pub text: &'t str,
    pub line: usize,
    pub is_word: bool,
}

/// All tokens of a text; a literal is one token.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let (mut tokens, mut at, mut line) = (Vec::new(), 0, 1);
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = length(rest, first);
        let token = &rest[..length];
        if !first.is_whitespace() && !token.starts_with("//") && !token.starts_with("/*") {
            let is_word = first.is_alphabetic() || first == '_';
            let is_word = is_word && !token.contains('"');
            tokens.push(Token {
                text: token,
                line,
                is_word,
            });
        }
        line += token.matches('\n').count();
        at += length;
    }
    tokens
}

/// How long the first token of a text is, white space and comments included.
fn length(rest: &str, first: char) -> usize {
    let until = |end: &str, from: usize| rest[from..].find(end).map_or(rest.len(), |at| from + at + end.len());
    let while_word = |from: usize| {
        let end = rest[from..].find(|c: char| !c.is_alphanumeric() && c != '_');
        end.map_or(rest.len(), |end| from + end)
    };
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return until("*/", 2);
    }
    let prefix = rest.find(|c| !matches!(c, 'b' | 'r' | 'c')).unwrap_or(rest.len());
    let hashes = rest[prefix..].bytes().take_while(|byte| *byte == b'#').count();
    if prefix <= 2 && rest[..prefix].contains('r') && rest[prefix + hashes..].starts_with('"') {
        return until(&format!("\"{}", "#".repeat(hashes)), prefix + hashes + 1);
    }
    if prefix <= 1 && rest[prefix..].starts_with('"') {
        return prefix + 1 + quoted(&rest[prefix + 1..], '"');
    }
    if first == '\'' || rest.starts_with("b'") {
        let from = rest.find('\'').unwrap_or(0) + 1;
        let mut inside = rest[from..].chars();
        let is_char = inside.next() == Some('\\') || inside.next() == Some('\'');
        return if is_char {
            from + quoted(&rest[from..], '\'')
        } else {
            while_word(from)
        };
    }
    if rest.starts_with("r#") {
        return while_word(2);
    }
    if first.is_alphanumeric() || first == '_' {
        return while_word(0);
    }
    match ["::", "||", "=>", "->"].iter().find(|sign| rest.starts_with(**sign)) {
        Some(sign) => sign.len(),
        None => first.len_utf8(),
    }
}

/// How far a literal reaches, its end included.
fn quoted(inside: &str, end: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in inside.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if c == end => return at + c.len_utf8(),
            _ => {}
        }
    }
    inside.len()
}

/// The position after the bracket that closes the one at a position.
pub fn after_bracket(tokens: &[Token<'_>], open: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

/// The position after an item: its block, or its semicolon.
fn after_item(tokens: &[Token<'_>], mut at: usize) -> usize {
    while let Some(token) = tokens.get(at) {
        match token.text {
            ";" => return at + 1,
            "{" => return after_bracket(tokens, at),
            "(" | "[" => at = after_bracket(tokens, at),
            _ => at += 1,
        }
    }
    at
}

/// The position after the attribute at a position, if there is one; and whether it is `cfg` of `test`.
fn attribute(tokens: &[Token<'_>], at: usize) -> Option<(usize, bool)> {
    let texts = |from: usize| tokens.get(from).map(|token| token.text);
    let open = match (texts(at)?, texts(at + 1)?) {
        ("#", "[") => at + 1,
        ("#", "!") => at + 2,
        _ => return None,
    };
    let end = after_bracket(tokens, open);
    let inside: Vec<&str> = tokens[open..end].iter().map(|token| token.text).collect();
    Some((end, matches!(inside[..], ["[", "cfg", "(", "test", ..])))
}

/// The tokens without the items that are compiled for tests only, wherever they stand.
pub fn without_tests<'t>(tokens: &[Token<'t>]) -> Vec<Token<'t>> {
    let (mut kept, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        let Some((end, true)) = attribute(tokens, at) else {
            kept.push(tokens[at]);
            at += 1;
            continue;
        };
        if tokens[at + 1].text == "!" {
            return Vec::new();
        }
        at = end;
        while let Some((end, _)) = attribute(tokens, at) {
            at = end;
        }
        at = after_item(tokens, at);
    }
    kept
}

/// The functions, each with the lines it has.
pub fn functions<'t>(tokens: &[Token<'t>]) -> Vec<(&'t str, usize)> {
    let mut functions = Vec::new();
    for (at, pair) in tokens.windows(2).enumerate() {
        if pair[0].text == "fn" && pair[1].is_word {
            let end = after_item(tokens, at);
            if tokens[end - 1].text == "}" {
                functions.push((pair[1].text, tokens[end - 1].line + 1 - pair[0].line));
            }
        }
    }
    functions
}

/// The names that closures are bound to: `let name = |…| …`.
pub fn named_closures<'t>(tokens: &[Token<'t>]) -> Vec<Token<'t>> {
    let mut names = Vec::new();
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| token.text == "let") {
        let named = tokens[at + 1..].iter().find(|token| token.text != "mut");
        let value = tokens[at..].iter().skip_while(|token| !matches!(token.text, "=" | ";"));
        let first = value.skip(1).find(|token| token.text != "move");
        let is_bound = named.is_some_and(|name| name.is_word) && token.is_word;
        if let (Some(name), true) = (
            named,
            is_bound && first.is_some_and(|first| matches!(first.text, "|" | "||")),
        ) {
            names.push(*name);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(code: &str) -> Vec<&str> {
        tokens(code).into_iter().map(|token| token.text).collect()
    }

    #[test]
    fn literals_are_one_token_and_comments_none() {
        assert_eq!(
            texts("a::b // c\n'x' 'l /* d */ \"e\\\"f\""),
            ["a", "::", "b", "'x'", "'l", "\"e\\\"f\""]
        );
        assert_eq!(
            texts("r#\"a\"b\"# br\"c\" b'd' '\\'' r#type"),
            ["r#\"a\"b\"#", "br\"c\"", "b'd'", "'\\''", "r#type"]
        );
    }

    #[test]
    fn tests_are_cut_out_wherever_they_stand() {
        let code =
            "#[cfg(test)]\nmod a { fn b() { \"}\" } }\nfn c() {}\n#[cfg(test)] #[x] use d;\n#[cfg(unix)] fn e() {}";
        let kept = without_tests(&tokens(code));
        let kept: Vec<_> = kept
            .iter()
            .map(|token| token.text)
            .filter(|text| text.len() == 1)
            .collect();
        assert_eq!(kept.concat(), "c(){}#[()]e(){}");
        assert!(without_tests(&tokens("#![cfg(test)]\nfn a() {}")).is_empty());
    }

    #[test]
    fn functions_are_measured_whoever_may_call_them() {
        let code = "pub(super) const fn a() -> [u8; 2] {\n    1\n}\nimpl X {\n    fn b<T>()\n    where\n        T: Y,\n    {\n    }\n    fn e();\n}\n";
        assert_eq!(functions(&tokens(code)), [("a", 3), ("b", 5)]);
    }

    #[test]
    fn closures_with_names_are_found() {
        let code = "let a = |x| x; let mut b = move || 1; let c: F = |y| y; let d = e(|z| z); let f = 1 | 2;";
        let named = named_closures(&tokens(code));
        let names: Vec<&str> = named.iter().map(|name| name.text).collect();
        assert_eq!(names, ["a", "b", "c"]);
    }
}
