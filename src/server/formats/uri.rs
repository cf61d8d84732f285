//! URIs and absolute paths, as a request names them.

/// Whether servers take a text for a URI. What stands within brackets is not read as an address.
pub(super) fn is_uri(text: &str) -> bool {
    if text.is_empty() || text.bytes().any(|byte| byte.is_ascii_control()) {
        return false;
    }
    let Some((scheme, rest)) = scheme(text) else {
        return false;
    };
    let path = rest.split_once('?').map_or(rest, |(path, _)| path);
    if text == "*" || !path.starts_with('/') {
        return text == "*" || !scheme.is_empty();
    }
    let (authority, path) = match path.strip_prefix("//").filter(|_| !scheme.is_empty()) {
        Some(authority) => authority.split_at(authority.find('/').unwrap_or(authority.len())),
        None => ("", path),
    };
    let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    user.chars().all(is_of_user) && is_escaped(user, false) && is_host(host) && is_escaped(path, false)
}

/// The scheme, empty if there is none, and what follows; `None` if its name is missing.
fn scheme(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|sign: char| !(sign.is_ascii_alphanumeric() || "+-.".contains(sign)));
    match end.map(|end| text.split_at(end)) {
        Some(("", rest)) if rest.starts_with(':') => None,
        Some((scheme, rest))
            if rest.starts_with(':') && scheme.starts_with(|first: char| first.is_ascii_alphabetic()) =>
        {
            Some((scheme, &rest[1..]))
        }
        _ => Some(("", text)),
    }
}

fn is_of_user(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || "-._:~!$&'()*+,;=%@".contains(sign)
}

fn is_host(host: &str) -> bool {
    let is_bracketed = host.starts_with('[');
    let (name, port) = match (is_bracketed, host.rfind(if is_bracketed { ']' } else { ':' })) {
        (true, None) => return false,
        (true, Some(end)) => host.split_at(end + 1),
        (false, Some(end)) => host.split_at(end),
        (false, None) => (host, ""),
    };
    let is_port = port.is_empty()
        || port
            .strip_prefix(':')
            .is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
    is_port && !host.contains(is_refused) && is_escaped(name, !is_bracketed)
}

/// Whether a sign of ASCII is none of the name of a host.
fn is_refused(sign: char) -> bool {
    sign.is_ascii() && !sign.is_ascii_alphanumeric() && !"-_.~!$&'()*+,;=:[]<>\"%".contains(sign)
}

/// Whether each `%` begins two hexadecimal digits. Those of the name of a host are none of ASCII, but for `%25`.
fn is_escaped(text: &str, is_host: bool) -> bool {
    text.split('%').skip(1).all(|after| {
        let digits = after.as_bytes().get(..2).unwrap_or_default();
        digits.len() == 2
            && digits.iter().all(u8::is_ascii_hexdigit)
            && (!is_host || digits == b"25" || !digits[0].is_ascii_digit() || digits[0] > b'7')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_are_read_as_servers_do() {
        for text in [
            "*",
            "/",
            "/a b",
            "a:",
            "urn:x y",
            "http://a.b/c?d=%zz",
            "http://",
            "http://a:/",
            "http://a:80",
            "http://[::1]:80/",
            "http://u:p@h/x",
            "mailto:a@b",
            "/a%20b",
            "http://a%25b/",
            "http://\u{e4}/",
            "http://a<b>/",
            "a:%zz",
            "http://u@v@h/",
            "http://a%e4/",
        ] {
            assert!(is_uri(text), "{text}");
        }
        for text in [
            "",
            "a",
            "a.b/c",
            "1a:b",
            ":a",
            "/a\n",
            "/a%2",
            "/a%zz",
            "http://a b/",
            "http://a:x/",
            "http://[::1",
            "http://[::1]x/",
            "http://u /@h/",
            "http://u^@h/",
            "http://a%20b/",
            "http://a{b}/",
            "?",
            "#a",
            "a b:c",
            "//a%zz?",
        ] {
            assert!(!is_uri(text), "{text}");
        }
    }
}
