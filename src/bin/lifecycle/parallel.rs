//! Two computations at once: a state, and the one it is compared with.

/// Bytes of stack, as a program's first thread has: schemas nest up to [`DEEPEST`](lifecycle::text::DEEPEST) levels.
const STACK: usize = 8 << 20;

/// Runs two functions at once, the first one on a thread of its own if one can be started.
pub fn in_parallel<A: Send, B>(one: impl Fn() -> A + Send + Sync, other: impl FnOnce() -> B) -> (A, B) {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        let Ok(thread) = thread.spawn_scoped(scope, &one) else {
            return (one(), other());
        };
        let other = other();
        match thread.join() {
            Ok(one) => (one, other),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}
