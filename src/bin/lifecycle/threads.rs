//! Two things at once.

/// Bytes of stack, as a program's first thread has: definitions nest up to [`DEEPEST`](lifecycle::text::DEEPEST)
/// levels.
const STACK: usize = 8 << 20;

/// Does two things at once, the first one on a thread of its own if there can be one.
pub fn side_by_side<A: Send, B>(one: impl Fn() -> A + Send + Sync, other: impl FnOnce() -> B) -> (A, B) {
    std::thread::scope(|scope| {
        let beside = std::thread::Builder::new().stack_size(STACK);
        let Ok(beside) = beside.spawn_scoped(scope, &one) else {
            return (one(), other());
        };
        let other = other();
        match beside.join() {
            Ok(one) => (one, other),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}
