//! The result: the object of `--json` and the file of `--save`.

use super::baseline_change::{Change, Comparison};
use super::machine::Machine;
use crate::devices::DeviceFacts;
use estoc::batch::BatchReport;
use estoc_demo::measuring::{deviation, median};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

pub(super) const SCHEMA: &str = "estoc.bench/1";

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Report {
    #[serde(deserialize_with = "schema")]
    schema: String,
    pub(super) version: String,
    pub(super) machine: Machine,
    pub(super) settings: Settings,
    /// The share of processor time that other programs used; missing in results of versions that
    /// did not measure it.
    #[serde(default)]
    pub(super) others: Option<f64>,
    pub(super) meshes: Vec<MeshRows>,
    /// Not read back: a later comparison does not use it.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub(super) comparison: Option<Comparison>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Settings {
    pub(super) count: usize,
    pub(super) seconds: f64,
    pub(super) rounds: u32,
    pub(super) build_rounds: u32,
    /// Missing in results of versions with a single layout.
    #[serde(default)]
    pub(super) layout: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct MeshRows {
    pub(super) mesh: String,
    pub(super) triangles: usize,
    pub(super) fingerprint: String,
    pub(super) load_seconds: f64,
    pub(super) builds: Vec<BuildRow>,
    pub(super) rays: Vec<RaysRow>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct BuildRow {
    pub(super) quality: String,
    pub(super) threads: usize,
    pub(super) sah_cost: f64,
    pub(super) bytes_per_triangle: f64,
    /// Per triangle.
    #[serde(flatten)]
    pub(super) times: Times,
    /// Compared with the baseline.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub(super) change: Option<Change>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct RaysRow {
    pub(super) rays: String,
    pub(super) calls: String,
    pub(super) quality: String,
    pub(super) threads: usize,
    pub(super) count: usize,
    pub(super) fingerprint: String,
    pub(super) hits: usize,
    /// Per ray.
    #[serde(flatten)]
    pub(super) times: Times,
    /// Only for batches.
    pub(super) plan: Option<PlanRow>,
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub(super) change: Option<Change>,
}

/// The plan of a batch, and the number of rays that each technique traced.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct PlanRow {
    pub(super) technique: String,
    pub(super) chunk_size: usize,
    pub(super) threads: usize,
    /// One reason for each part of the plan.
    pub(super) why: Vec<String>,
    pub(super) one_by_one: usize,
    pub(super) interleaved: usize,
    pub(super) packets: usize,
    /// Missing in results of versions without bundles.
    #[serde(default)]
    pub(super) bundles: usize,
    pub(super) not_asked: u64,
    /// Missing where the processor is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) device: Option<DeviceRow>,
}

/// The device that a batch asked.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct DeviceRow {
    pub(super) name: String,
    pub(super) driver: String,
}

/// Wall clock time per ray or triangle, in nanoseconds.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Times {
    /// The median over rounds.
    #[serde(deserialize_with = "positive")]
    pub(super) ns: f64,
    /// The median absolute deviation.
    #[serde(deserialize_with = "not_negative")]
    pub(super) mad_ns: f64,
    pub(super) millions_per_second: f64,
    pub(super) samples_ns: Vec<f64>,
}

impl Report {
    pub(super) fn new(machine: Machine, settings: Settings) -> Self {
        Report {
            schema: SCHEMA.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            machine,
            settings,
            others: None,
            meshes: Vec::new(),
            comparison: None,
        }
    }
}

impl Times {
    /// Creates times from one sample per round, rounded to a thousandth of a nanosecond: the rest
    /// is noise.
    pub(super) fn of(samples_ns: impl IntoIterator<Item = f64>) -> Self {
        let kept = |ns: f64| (ns * 1e3).round() / 1e3;
        let samples_ns: Vec<f64> = samples_ns.into_iter().map(kept).collect();
        // A coarse clock may measure zero for short work.
        let ns = median(&samples_ns).max(1e-3);
        Times {
            ns,
            mad_ns: kept(deviation(&samples_ns)),
            millions_per_second: 1e3 / ns,
            samples_ns,
        }
    }

    /// Returns the deviation in percent of the median.
    pub(super) fn percent(&self) -> f64 {
        100.0 * self.mad_ns / self.ns
    }
}

impl RaysRow {
    /// Returns the name of the device that was asked, if it was one.
    pub(super) fn device(&self) -> Option<&str> {
        Some(&self.plan.as_ref()?.device.as_ref()?.name)
    }
}

impl From<&BatchReport> for PlanRow {
    fn from(report: &BatchReport) -> Self {
        let BatchReport {
            plan, techniques, ..
        } = report;
        PlanRow {
            technique: plan.technique.to_string(),
            chunk_size: plan.chunk_size,
            threads: plan.threads,
            why: plan.reasons().to_vec(),
            one_by_one: techniques.one_by_one,
            interleaved: techniques.interleaved,
            packets: techniques.packets,
            bundles: techniques.bundles,
            not_asked: report.not_asked(),
            device: None,
        }
    }
}

impl From<&DeviceFacts> for DeviceRow {
    fn from(facts: &DeviceFacts) -> Self {
        DeviceRow {
            name: facts.name.clone(),
            driver: facts.driver.clone(),
        }
    }
}

fn schema<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let schema = String::deserialize(from)?;
    match schema == SCHEMA {
        true => Ok(schema),
        false => {
            let problem = format!("its schema is {schema:?}, not {SCHEMA:?}");
            Err(D::Error::custom(problem))
        }
    }
}

fn positive<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    let x = f64::deserialize(from)?;
    match x > 0.0 && x.is_finite() {
        true => Ok(x),
        false => Err(D::Error::custom(format!("invalid time: {x} ns"))),
    }
}

fn not_negative<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    let x = f64::deserialize(from)?;
    match x >= 0.0 && x.is_finite() {
        true => Ok(x),
        false => Err(D::Error::custom(format!("invalid deviation: {x} ns"))),
    }
}
