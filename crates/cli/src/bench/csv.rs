//! The result as CSV: one row for each measurement.

use super::baseline_change::Change;
use super::report::{Report, Times};
use super::show::plan;
use estoc_rays_io::quoted;
use std::fmt::Write;

const HEADER: &str = "mesh,measured,rays,calls,quality,threads,count,ns,mad_ns,\
                      millions_per_second,hits,plan,ratio,verdict";

/// Returns the result as CSV. `count` is the number of triangles or rays, and times are per
/// triangle or ray. Cells that do not apply to a row are empty.
pub(super) fn csv(report: &Report) -> String {
    let mut text = format!("{HEADER}\n");
    for mesh in &report.meshes {
        let name = quoted(&mesh.mesh);
        for row in &mesh.builds {
            let (quality, threads) = (&row.quality, row.threads);
            let _ = write!(
                text,
                "{name},build,,,{quality},{threads},{}",
                mesh.triangles
            );
            put(&mut text, &row.times, ["", ""], row.change);
        }
        for row in &mesh.rays {
            let (rays, calls) = (&row.rays, &row.calls);
            let (quality, threads, count) = (&row.quality, row.threads, row.count);
            let _ = write!(
                text,
                "{name},rays,{rays},{calls},{quality},{threads},{count}"
            );
            let plan = row.plan.as_ref().map(|row| quoted(&plan(row)));
            let (hits, plan) = (row.hits.to_string(), plan.unwrap_or_default());
            put(&mut text, &row.times, [&hits, &plan], row.change);
        }
    }
    text
}

fn put(text: &mut String, times: &Times, [hits, plan]: [&str; 2], change: Option<Change>) {
    let ratio = change.and_then(|change| change.ratio);
    let ratio = ratio.map(|ratio| ratio.to_string()).unwrap_or_default();
    let verdict = change.map(|change| change.verdict.to_string());
    let verdict = verdict.unwrap_or_default();
    let (ns, mad_ns, speed) = (times.ns, times.mad_ns, times.millions_per_second);
    let _ = writeln!(
        text,
        ",{ns},{mad_ns},{speed},{hits},{plan},{ratio},{verdict}"
    );
}
