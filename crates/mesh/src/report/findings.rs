//! Occurrences of a finding: how many, and the first of them.

use estoc_core::sort_compactly;

/// One finding: a face, vertex, triangle or statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Finding {
    /// The zero-based index, among what the [`MeshReport`](super::MeshReport) field counts.
    pub id: u64,
    /// The one-based physical line, if the mesh comes from a file.
    pub line: Option<u64>,
}

/// The number of occurrences of a finding, and the first of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Findings {
    count: u64,
    first: Vec<Finding>,
    /// Whether the format numbers these from 0; OBJ numbers from 1.
    pub(super) from_zero: bool,
}

impl Findings {
    /// The largest number of occurrences that are stored.
    pub const KEPT: usize = 8;

    /// Returns the number of occurrences.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the first occurrences, in the order of the input.
    pub fn first(&self) -> &[Finding] {
        &self.first
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(crate) fn add(&mut self, id: u64, line: Option<u64>) {
        self.count += 1;
        if self.first.len() < Findings::KEPT {
            self.first.push(Finding { id, line });
        }
    }

    /// Adds an occurrence that is numbered among those of the same finding.
    pub(crate) fn add_line(&mut self, line: u64) {
        self.add(self.count, Some(line));
    }

    /// Returns the number, in the counting of the format, of an occurrence that has a line.
    pub(crate) fn number_in_file(&self, place: &Finding) -> u64 {
        place.id + u64::from(!self.from_zero)
    }

    /// Adds other occurrences of the same finding in the same input, none of which is in both.
    pub(crate) fn merge(&mut self, other: &Findings) {
        self.count += other.count;
        self.first.extend_from_slice(&other.first);
        sort_compactly(&mut self.first, |a, b| a.id.cmp(&b.id));
        self.first.truncate(Findings::KEPT);
    }

    /// Appends the occurrences in a later part of the input.
    pub(crate) fn append(&mut self, later: &Findings, id_shift: u64, line_shift: u64) {
        if self.is_empty() {
            self.from_zero = later.from_zero;
        }
        self.count += later.count;
        let room = Findings::KEPT - self.first.len();
        self.first
            .extend(later.first.iter().take(room).map(|place| Finding {
                id: place.id + id_shift,
                line: place.line.map(|line| line + line_shift),
            }));
    }
}
