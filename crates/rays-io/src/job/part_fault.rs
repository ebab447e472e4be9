//! What is wrong with a finished part.

use super::error::JobError;
use super::identity::put;
use super::manifest::PartRecord;
use estoc_core::CancelToken;
use estoc_system::open_file;
use std::io::{self, Read};
use std::path::Path;
use xxhash_rust::xxh3::Xxh3Default;

/// Returns what is wrong with a finished part, if anything is; `None` too if it was cancelled.
pub(super) fn fault(
    path: &Path,
    record: &PartRecord,
    cancel: &CancelToken,
) -> Result<Option<String>, JobError> {
    let look = || -> io::Result<Option<String>> {
        let file = open_file(path)?;
        let bytes = file.metadata()?.len();
        let mut hash = Xxh3Default::new();
        if bytes == record.bytes && put(&mut hash, &mut file.take(bytes), cancel)?.is_none() {
            return Ok(None);
        }
        Ok(record.fault(bytes, hash.digest()))
    };
    match look() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Some("it is missing".into())),
        found => found.map_err(|source| JobError::io("read", path, source)),
    }
}
