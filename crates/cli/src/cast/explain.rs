//! The technique that was used, as JSON.

use crate::device_args::DeviceRun;
use estoc::batch::BatchReport;
use serde_json::{Value, json};

/// Returns what `--explain --json` adds to the object.
pub(super) fn object(report: &BatchReport, device: Option<&DeviceRun<'_>>) -> Value {
    let BatchReport {
        plan, techniques, ..
    } = report;
    let why: Vec<String> = plan.to_string().lines().map(str::to_owned).collect();
    let mut object = json!({
        "technique": plan.technique.to_string(),
        "chunk_size": plan.chunk_size,
        "threads": plan.threads,
        "reordered": plan.reorder,
        "why": why,
        "one_by_one": techniques.one_by_one,
        "interleaved": techniques.interleaved,
        "packets": techniques.packets,
        "bundles": techniques.bundles,
        "not_asked": report.not_asked(),
    });
    if let Some(device) = device {
        object["device"] = device.object();
    }
    object
}
