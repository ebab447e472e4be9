//! The summary of a complete job.

use crate::common::Session;
use crate::failure::Failure;
use crate::number::{counted, grouped};
use crate::output::Output;
use estoc_rays_io::job::JobFolder;
use serde_json::json;

/// Prints what a folder holds; `kept` is the number of parts that an earlier run had finished.
pub(crate) fn print(folder: &JobFolder, kept: usize, session: &Session) -> Result<(), Failure> {
    let (mut parts, mut rows, mut bytes, mut answered) = (0_usize, 0, 0, 0);
    for record in folder.parts() {
        parts += 1;
        rows += record.rows;
        bytes += record.bytes;
        answered += record.rays;
    }
    let made = parts.saturating_sub(kept);
    let name = folder.path().display();
    let text = format!(
        "{name}: {} in {}, {} of them made by this run\n",
        counted(usize::try_from(answered).unwrap_or(usize::MAX), "ray"),
        counted(parts, "part"),
        grouped(made)
    );
    let object = json!({
        "schema": "estoc.job-summary/1",
        "out_dir": name.to_string(),
        "format": folder.job().format,
        "shard": folder.shard().map(|shard| shard.to_string()),
        "rays": folder.rays(),
        "rays_of_parts": answered,
        "rows": rows,
        "bytes": bytes,
        "parts": parts,
        "made": made,
        "kept": kept,
    });
    session.print_done(Output::open(None)?, &text, &object)
}
