//! Paths of fields: `.spec.ports[].name`. `[]` stands for the items of a list, `{}` for the values of a map.

/// The fields that every object has, whatever its schema says.
pub(crate) const OF_EVERY_OBJECT: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// The step to a field: `.name`, or `[na.me]` for a name with a dot.
pub(crate) fn step(name: &str) -> String {
    if name.is_empty() || name.contains(['.', '[', ']', '{', '}']) {
        format!("[{name}]")
    } else {
        format!(".{name}")
    }
}

/// Whether a path of an object is that of its status, or of something in it.
pub(crate) fn is_in_status(path: &str) -> bool {
    let below = path.strip_prefix(".status");
    below.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[', '{']))
}

/// A path and the paths that contain it, innermost first: `.spec.ports[].name`, `.spec.ports[]`, `.spec.ports`,
/// `.spec`.
pub(crate) fn with_ancestors(path: &str) -> impl Iterator<Item = &str> {
    let cuts = path.rmatch_indices(['.', '[', '{']).map(|(at, _)| at);
    let above = cuts.filter(|at| *at > 0).filter_map(|at| path.get(..at));
    std::iter::once(path).chain(above)
}
