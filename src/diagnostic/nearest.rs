//! Names that were meant.

/// The name most similar to the typed one, if a third of the letters differ at most. Of equally similar names the
/// first.
pub(crate) fn nearest<'n>(typed: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let allowed = (typed.chars().count() / 3).clamp(1, 8);
    let typed_lowercase = typed.to_lowercase();
    names
        .into_iter()
        .filter(|name| name.len().abs_diff(typed.len()) <= allowed * 4)
        .filter(|name| !differ_by_more(&typed_lowercase, name, allowed))
        .map(|name| {
            (
                strsim::damerau_levenshtein(&typed_lowercase, &name.to_lowercase()),
                name,
            )
        })
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// Whether two texts have more different letters, wherever these stand, than an edit each could change: then no
/// distance has to be worked out.
fn differ_by_more(lowercase: &str, name: &str, edits: usize) -> bool {
    if !lowercase.is_ascii() || !name.is_ascii() {
        return false;
    }
    let mut surplus = [0_i32; 128];
    for byte in lowercase.bytes() {
        surplus[usize::from(byte)] += 1;
    }
    for byte in name.bytes() {
        surplus[usize::from(byte.to_ascii_lowercase())] -= 1;
    }
    let missing: i32 = surplus.iter().filter(|count| **count > 0).sum();
    let added: i32 = surplus.iter().filter(|count| **count < 0).map(|count| -count).sum();
    usize::try_from(missing.max(added)).is_ok_and(|different| different > edits)
}

/// "did you mean `x`?", or nothing.
pub fn did_you_mean<'n>(typed: &str, names: impl IntoIterator<Item = &'n str>) -> Option<String> {
    nearest(typed, names).map(|name| format!("did you mean `{name}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typo_finds_the_name() {
        let names = ["introduced", "deprecated", "removed"];
        assert_eq!(nearest("depricated", names), Some("deprecated"));
        assert_eq!(nearest("Removed", names), Some("removed"));
        assert_eq!(nearest("owner", names), None);
    }

    #[test]
    fn no_name_is_left_out_that_is_near_enough() {
        let names = ["removed", "removal", "Ab", "ba", "introduced", "grün"];
        for typed in ["removde", "REMOVED", "ab", "introducde", "grun", "xyz"] {
            let lowercase = typed.to_lowercase();
            for name in names {
                let distance = strsim::damerau_levenshtein(&lowercase, &name.to_lowercase());
                assert!(!differ_by_more(&lowercase, name, distance), "{typed} {name}");
            }
        }
        assert!(differ_by_more("removed", "introduced", 3));
    }
}
