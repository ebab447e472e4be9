//! What a job is.

use super::identity::InputIdentity;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Everything that decides the bytes of a job's parts. Two runs may share a job only if they are
/// described alike.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobDescription {
    /// The version of estoc, with its commit if it is known.
    pub estoc: String,
    /// What identifies the mesh or the scene, such as a hash of its content.
    pub mesh: String,
    /// The format of the parts, which is also the extension of their names: `csv`, `npy` or `parquet`.
    pub format: String,
    /// The query and its options by name, as far as they change answers or bytes.
    pub options: BTreeMap<String, String>,
    /// The number of rows of the input that each part answers; the last part answers the rest.
    pub part_rows: u64,
    /// The input.
    pub input: InputIdentity,
}

/// A difference between two jobs, or two inputs of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobDifference {
    /// What differs.
    pub what: String,
    /// What the first has.
    pub first: String,
    /// What the second has.
    pub second: String,
}

impl JobDifference {
    /// Returns the difference between two values, if there is one.
    pub(super) fn between<A: PartialEq + ToString>(
        what: &str,
        first: A,
        second: A,
    ) -> Option<Self> {
        (first != second).then(|| JobDifference {
            what: what.to_owned(),
            first: first.to_string(),
            second: second.to_string(),
        })
    }
}

impl JobDescription {
    /// Returns the first difference, if there is one.
    pub(super) fn difference(&self, other: &Self) -> Option<JobDifference> {
        let JobDescription {
            estoc,
            mesh,
            format,
            options,
            part_rows,
            input,
        } = self;
        let differs = JobDifference::between::<&String>;
        differs("the version of estoc", estoc, &other.estoc)
            .or_else(|| differs("the hash of the mesh and its masks", mesh, &other.mesh))
            .or_else(|| differs("--format", format, &other.format))
            .or_else(|| {
                options.keys().chain(other.options.keys()).find_map(|name| {
                    let [first, second] = [options, &other.options]
                        .map(|options| options.get(name).map_or("not given", |value| value));
                    JobDifference::between(&format!("--{name}"), first, second)
                })
            })
            .or_else(|| JobDifference::between("--part-rows", *part_rows, other.part_rows))
            .or_else(|| input.difference(&other.input))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::identity::FileIdentity;
    use super::*;

    /// Returns the description of a job with parts of `part_rows` rows.
    pub(in super::super) fn example(part_rows: u64) -> JobDescription {
        JobDescription {
            estoc: "0.1.0".into(),
            mesh: "0123456789abcdef".into(),
            format: "csv".into(),
            options: [("query".to_owned(), "closest".to_owned())].into(),
            part_rows,
            input: InputIdentity::Files(vec![FileIdentity {
                name: "rays.csv".into(),
                bytes: 1000,
                modified: Some(1_700_000_000_123_456_789),
                xxh3: "00000000deadbeef".into(),
            }]),
        }
    }

    #[test]
    fn the_first_difference_is_named() {
        let job = example(10);
        assert_eq!(job.difference(&job), None);
        let told = |change: &dyn Fn(&mut JobDescription)| {
            let mut other = job.clone();
            change(&mut other);
            let JobDifference {
                what,
                first,
                second,
            } = job.difference(&other).unwrap();
            assert!(other.difference(&job).is_some());
            format!("{what}: {first}, {second}")
        };
        assert_eq!(
            told(&|job| job.estoc = "0.2.0".into()),
            "the version of estoc: 0.1.0, 0.2.0"
        );
        assert_eq!(
            told(&|job| job.mesh = "1".into()),
            "the hash of the mesh and its masks: 0123456789abcdef, 1"
        );
        assert_eq!(told(&|job| job.format = "npy".into()), "--format: csv, npy");
        assert_eq!(told(&|job| job.part_rows = 11), "--part-rows: 10, 11");
        assert_eq!(
            told(&|job| drop(job.options.insert("query".into(), "any".into()))),
            "--query: closest, any"
        );
        assert_eq!(
            told(&|job| drop(job.options.insert("cull".into(), "back".into()))),
            "--cull: not given, back"
        );
        assert_eq!(
            told(&|job| job.options.clear()),
            "--query: closest, not given"
        );
        assert_eq!(
            told(&|job| job.input = InputIdentity::Stdin),
            "the input: a file, stdin"
        );
    }
}
