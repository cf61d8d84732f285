//! Steps, which are counted so that no input takes too many.

/// Takes some steps from those that are left; none are left where they do not suffice.
pub(crate) fn take(steps: usize, left: &mut usize) -> bool {
    let rest = left.checked_sub(steps);
    *left = rest.unwrap_or(0);
    rest.is_some()
}
