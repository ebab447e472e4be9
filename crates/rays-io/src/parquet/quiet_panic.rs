//! Panics of the library that decodes Parquet, as errors.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

thread_local! {
    /// Whether a panic of this thread is not told.
    static IS_QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Installs a hook for panics that is silent in [`caught`], and else does what the one before did.
static HOOK: Once = Once::new();

/// Calls a function of the library, and returns its panic, if any, as text. What the function
/// changed must not be used afterwards.
pub(super) fn caught<A>(call: impl FnOnce() -> A) -> Result<A, String> {
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !IS_QUIET.try_with(Cell::get).unwrap_or(false) {
                before(info);
            }
        }));
    });
    let was_quiet = IS_QUIET.replace(true);
    let done = catch_unwind(AssertUnwindSafe(call));
    IS_QUIET.set(was_quiet);
    done.map_err(|panic| words(&*panic))
}

/// Calls a function of the library as [`caught`] does, and returns its error, too, as text.
pub(super) fn tried<A, E: ToString>(call: impl FnOnce() -> Result<A, E>) -> Result<A, String> {
    caught(call)?.map_err(|error| error.to_string())
}

/// Returns the message of a panic, in one line.
fn words(panic: &(dyn Any + Send)) -> String {
    let text = match panic.downcast_ref::<&'static str>() {
        Some(text) => text,
        None => panic.downcast_ref::<String>().map_or("", String::as_str),
    };
    let text: Vec<&str> = text.split_whitespace().collect();
    text.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_are_text() {
        assert_eq!(caught(|| 5), Ok(5));
        let index = std::hint::black_box(7);
        let told = caught(|| [1, 2][index % 4]).unwrap_err();
        assert!(told.contains("out of bounds"), "{told}");
    }
}
