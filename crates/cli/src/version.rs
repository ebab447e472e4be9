//! The text of `--version`.

use estoc::engine::SimdLevel;
use std::sync::OnceLock;

/// Returns the version, the commit if the program was built in a checkout, and the vector
/// instructions that queries use on this machine, as in `0.2.0 (commit 0123456789ab, avx2)`.
pub(crate) fn text() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| {
        let version = env!("CARGO_PKG_VERSION");
        let simd = SimdLevel::from_env().unwrap_or_else(|_| SimdLevel::best());
        match option_env!("ESTOC_COMMIT") {
            Some(commit) => format!("{version} (commit {commit}, {simd})"),
            None => format!("{version} ({simd})"),
        }
    })
}

/// Returns the version, and the commit if the program was built in a checkout; answers depend on nothing
/// else of the program.
pub(crate) fn with_commit() -> String {
    let version = env!("CARGO_PKG_VERSION");
    match option_env!("ESTOC_COMMIT") {
        Some(commit) => format!("{version} (commit {commit})"),
        None => version.to_owned(),
    }
}
