//! What is wrong with a finished part.

use super::error::JobError;
use super::identity::{digits, put};
use super::manifest::PartRecord;
use estoc_memory::open_file;
use std::io::{self, Read};
use std::path::Path;
use xxhash_rust::xxh3::Xxh3Default;

/// Returns what is wrong with a finished part, if anything is; `None` too if it was cancelled.
pub(super) fn fault(
    path: &Path,
    record: &PartRecord,
    keep_going: &dyn Fn() -> bool,
) -> Result<Option<String>, JobError> {
    let look = || -> io::Result<Option<String>> {
        let file = open_file(path)?;
        let bytes = file.metadata()?.len();
        if bytes != record.bytes {
            return Ok(Some(format!(
                "it has {bytes} bytes instead of {}",
                record.bytes
            )));
        }
        let mut hash = Xxh3Default::new();
        let is_hashed = put(&mut hash, &mut file.take(bytes), keep_going)?;
        let hash = digits(hash.digest());
        let is_same = !is_hashed || hash == record.xxh3;
        Ok((!is_same).then(|| format!("its hash is {hash} instead of {}", record.xxh3)))
    };
    match look() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Some("it is missing".into())),
        found => found.map_err(|source| JobError::io("read", path, source)),
    }
}
