//! Patterns of names: `*` stands for any characters, `?` for one.

/// A pattern, or a name.
#[derive(Debug, Clone, Copy)]
pub(in crate::answer) struct Pattern<'p>(pub(in crate::answer) &'p str);

impl Pattern<'_> {
    /// Whether it stands for names other than itself.
    pub(in crate::answer) fn is_open(self) -> bool {
        self.0.contains(['*', '?'])
    }

    /// Whether it matches the whole of an id and, if it ends with a version, the part of the id up to its version: what
    /// `*/v*beta*` says is about the version, and about no annotation.
    pub(in crate::answer) fn matches_id(self, id: &str) -> bool {
        // What follows a mark of a part is no version: a slash in the name of an annotation, or in a value.
        let split = self.0.rsplit_once("/v");
        let names_version = split.is_some_and(|(group, rest)| !rest.contains(' ') && !group.contains([' ', '@', '=']));
        let version = id.find("/v").filter(|_| names_version);
        let end = version.and_then(|at| Some(at + id[at..].find(' ')?));
        self.matches(id) && end.is_none_or(|end| self.matches(&id[..end]))
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
    fn the_version_of_a_pattern_is_none_of_a_part() {
        let table = [
            ("*/v*beta*", "apps/v1beta1", true),
            ("*@example.com/v*", "core/v1 Pod @example.com/volume", true),
            ("core/* Pod @example.com/v*", "core/v1 Pod @example.com/volume", true),
            ("*.spec.*=a/v*", "core/v1 Pod .spec.kind=a/v2", true),
            ("*/v*beta*", "apps/v1beta1 Deployment .spec.replicas", true),
            (
                "*/v*beta*",
                "core/v1 PersistentVolume @volume.beta.kubernetes.io/mount-options",
                false,
            ),
            ("*/v1", "apps/v1 Deployment", false),
            ("*/v1*", "apps/v1 Deployment", true),
            (
                "*/v1 *beta*",
                "core/v1 PersistentVolume @volume.beta.kubernetes.io/mount-options",
                true,
            ),
            (
                "*beta*",
                "core/v1 PersistentVolume @volume.beta.kubernetes.io/mount-options",
                true,
            ),
            (
                "config */v1beta*",
                "config kubelet.config.k8s.io/v1beta1 KubeletConfiguration",
                true,
            ),
            ("gate */v*", "gate Vertical", false),
        ];
        for (pattern, id, matches) in table {
            assert_eq!(Pattern(pattern).matches_id(id), matches, "{pattern} {id}");
        }
    }

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
