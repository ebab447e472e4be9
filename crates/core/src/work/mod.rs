//! Long work: how far it is, and how it is cancelled.

mod cancel;
mod progress;

pub use cancel::CancelToken;
pub use progress::Progress;
