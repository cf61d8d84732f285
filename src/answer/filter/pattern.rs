//! Patterns of names: `*` stands for any characters, `?` for one.

/// A pattern, or a name.
#[derive(Debug, Clone, Copy)]
pub(in crate::answer) struct Pattern<'p>(pub(in crate::answer) &'p str);

impl Pattern<'_> {
    /// Whether it stands for names other than itself.
    pub(in crate::answer) fn is_open(self) -> bool {
        self.0.contains(['*', '?'])
    }

    /// Whether it matches the whole of a name.
    pub(in crate::answer) fn matches(self, name: &str) -> bool {
        let pattern: Vec<char> = self.0.chars().collect();
        let name: Vec<char> = name.chars().collect();
        let (mut at, mut read) = (0, 0);
        // The last star, and the first character that it does not stand for yet.
        let mut star: Option<(usize, usize)> = None;
        while read < name.len() {
            match (pattern.get(at), star) {
                (Some('*'), _) => {
                    star = Some((at, read));
                    at += 1;
                }
                (Some(one), _) if *one == '?' || *one == name[read] => (at, read) = (at + 1, read + 1),
                (_, Some((before, reached))) => {
                    star = Some((before, reached + 1));
                    (at, read) = (before + 1, reached + 1);
                }
                (_, None) => return false,
            }
        }
        pattern[at..].iter().all(|rest| *rest == '*')
    }
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    #[test]
    fn a_star_stands_for_any_characters_and_a_question_mark_for_one() {
        let table = [
            ("apps/*", "apps/v1 Deployment .spec.replicas", true),
            ("apps/*", "apps", false),
            ("gate *", "gate Frobber2D", true),
            ("*v1beta? *Job", "batch/v1beta1 CronJob", true),
            ("*v1beta? *Job", "batch/v1beta1 CronJobs", false),
            ("*", "", true),
            ("a*b*c", "aXbXbc", true),
            ("a*b*c", "aXbXb", false),
            ("v?", "v", false),
        ];
        for (pattern, name, matches) in table {
            assert_eq!(Pattern(pattern).matches(name), matches, "{pattern} {name}");
        }
    }
}
