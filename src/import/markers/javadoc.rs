//! The `@deprecated` of comments in Java and Kotlin.

/// What a comment states after `@deprecated`, up to the next tag.
pub(super) fn deprecated_tag(comment: &str) -> Option<String> {
    let lines = comment.lines().map(|line| line.trim().trim_start_matches('*').trim());
    let mut lines = lines.skip_while(|line| !line.starts_with("@deprecated"));
    let first = lines.next()?.strip_prefix("@deprecated")?.trim();
    let rest = lines.take_while(|line| !line.starts_with('@'));
    let words: Vec<&str> = [first]
        .into_iter()
        .chain(rest)
        .flat_map(str::split_whitespace)
        .collect();
    Some(without_tags(&words.join(" ")))
}

/// The text of a comment without its inline tags: of `{@link #open(String)}` there is `open(String)`.
fn without_tags(comment: &str) -> String {
    let mut text = String::new();
    let mut rest = comment;
    while let Some((before, tag)) = rest.split_once("{@") {
        let Some((tag, after)) = tag.split_once('}') else { break };
        let (name, body) = tag.split_once(' ').unwrap_or((tag, ""));
        text.push_str(before);
        match name {
            "link" | "linkplain" | "value" => text.push_str(&linked(body.trim())),
            _ => text.push_str(body.trim()),
        }
        rest = after;
    }
    text.push_str(rest);
    text
}

/// The label of a link, or else what it leads to.
fn linked(body: &str) -> String {
    let mut depth = 0_usize;
    let end = body.find(|sign| {
        match sign {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        sign == ' ' && depth == 0
    });
    match end.map(|end| body.split_at(end)) {
        Some((_, label)) => label.trim().to_owned(),
        None => body.trim_start_matches('#').replace('#', "."),
    }
}
