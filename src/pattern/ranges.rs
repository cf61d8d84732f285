//! Sets of characters: ranges in order, which do not touch.

pub(super) type Ranges = Vec<(char, char)>;

/// A character alone.
pub(super) fn of(sign: char) -> Ranges {
    vec![(sign, sign)]
}

/// The same set in order.
pub(super) fn ordered(mut ranges: Ranges) -> Ranges {
    ranges.sort_unstable();
    let mut found: Ranges = Vec::new();
    for (from, to) in ranges {
        match found.last_mut() {
            Some((_, end)) if after(*end).is_none_or(|next| from <= next) => *end = to.max(*end),
            _ => found.push((from, to)),
        }
    }
    found
}

/// All other characters.
pub(super) fn complement(ranges: &Ranges) -> Ranges {
    let mut found = Vec::new();
    let mut next = Some('\0');
    for (from, to) in ordered(ranges.clone()) {
        if let (Some(begin), Some(end)) = (next, before(from))
            && begin <= end
        {
            found.push((begin, end));
        }
        next = after(to);
    }
    found.extend(next.map(|begin| (begin, char::MAX)));
    found
}

/// The same letters in both cases; `None` where that is not known.
pub(super) fn of_any_case(ranges: &Ranges) -> Option<Ranges> {
    let mut found = ranges.clone();
    for (from, to) in ranges {
        if !to.is_ascii() {
            return None;
        }
        for sign in *from..=*to {
            found.push((sign.to_ascii_lowercase(), sign.to_ascii_lowercase()));
            found.push((sign.to_ascii_uppercase(), sign.to_ascii_uppercase()));
            // The signs of Kelvin and the long s are letters of other cases.
            match sign {
                'k' | 'K' => found.push(('\u{212a}', '\u{212a}')),
                's' | 'S' => found.push(('\u{17f}', '\u{17f}')),
                _ => {}
            }
        }
    }
    Some(ordered(found))
}

pub(super) fn contains(ranges: &Ranges, sign: char) -> bool {
    ranges.iter().any(|(from, to)| (*from..=*to).contains(&sign))
}

pub(super) fn after(sign: char) -> Option<char> {
    (sign..=char::MAX).nth(1)
}

fn before(sign: char) -> Option<char> {
    ('\0'..sign).next_back()
}

/// The class of a letter after a backslash, or of a name in `[:name:]`; `None` if it is none.
pub(super) fn named(name: &str) -> Option<Ranges> {
    let pairs: &[(char, char)] = match name {
        "d" | "digit" => &[('0', '9')],
        "w" | "word" => &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')],
        "s" => &[('\t', '\n'), ('\u{c}', '\r'), (' ', ' ')],
        "space" => &[('\t', '\r'), (' ', ' ')],
        "alnum" => &[('0', '9'), ('A', 'Z'), ('a', 'z')],
        "alpha" => &[('A', 'Z'), ('a', 'z')],
        "ascii" => &[('\0', '\u{7f}')],
        "blank" => &[('\t', '\t'), (' ', ' ')],
        "cntrl" => &[('\0', '\u{1f}'), ('\u{7f}', '\u{7f}')],
        "graph" => &[('!', '~')],
        "lower" => &[('a', 'z')],
        "print" => &[(' ', '~')],
        "punct" => &[('!', '/'), (':', '@'), ('[', '`'), ('{', '~')],
        "upper" => &[('A', 'Z')],
        "xdigit" => &[('0', '9'), ('A', 'F'), ('a', 'f')],
        _ => return None,
    };
    Some(pairs.to_vec())
}
