//! Paths of fields, as changes and findings tell them: `.spec.ports[].name`. `[]` is the step into the items of a list,
//! `{}` that into the values of a map.

/// The fields that every object has, whatever its schema says of them.
pub const OF_EVERY_OBJECT: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// The step to a field: a dot in a name is no step.
pub fn step(name: &str) -> String {
    if name.is_empty() || name.contains(['.', '[', ']', '{', '}']) {
        format!("[{name}]")
    } else {
        format!(".{name}")
    }
}

/// Whether a path that begins at an object is that of its status, or of something within.
pub fn is_in_status(path: &str) -> bool {
    let below = path.strip_prefix(".status");
    below.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[', '{']))
}
