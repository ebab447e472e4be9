//! The reasons of a plan in words.

use super::{FEW_CLOSE, FEW_RAYS, Plan, Why, for_bundles, one_by_one_within};
use crate::coherence::{Coherence, CoherenceSample};
use std::fmt;

impl Plan {
    /// Returns the reasons for the technique, the chunks and the order, in words.
    pub fn reasons(&self) -> [String; 3] {
        [self.of_technique(), self.of_chunks(), self.of_order()]
    }

    fn of_technique(&self) -> String {
        let facts = &self.facts;
        let CoherenceSample {
            groups,
            close,
            one_way,
            ..
        } = facts.sampled;
        let rays = match (facts.coherence, groups) {
            _ if !for_bundles(facts) => {
                "packets and bundles are for first hits with no option but a triangle to skip"
                    .into()
            }
            (Coherence::Coherent, _) => "the rays are declared coherent".into(),
            (Coherence::Incoherent, _) => "the rays are declared incoherent".into(),
            (Coherence::Auto, 0) => "the coherence of the rays is unknown".into(),
            (Coherence::Auto, 1) if one_way == 1 => "the sampled group is coherent".into(),
            (Coherence::Auto, 1) => "the sampled group is incoherent".into(),
            _ => format!("{one_way} of {groups} sampled groups are coherent"),
        };
        let tree = Bytes(facts.tree_bytes);
        let core = Bytes(facts.caches.core);
        let cache = match one_by_one_within(facts) {
            1.0 => format!("a core's cache ({core})"),
            times => format!("{times} times a core's cache ({core})"),
        };
        match self.why {
            Why::OnlyTechnique => "the only technique for this question".into(),
            Why::Forced => "as requested".into(),
            Why::FewRays => format!("fewer than {FEW_RAYS} rays"),
            Why::FewClose => {
                format!("{rays}, and there are fewer than {FEW_CLOSE}, which start close together")
            }
            Why::SizeNotTold => "the engine does not report its size".into(),
            Why::OneWay => rays,
            Why::Close if groups == 1 => format!("{rays}, but its rays start close together"),
            Why::Close => format!("{rays}, but the rays of {close} start close together"),
            Why::Skips => {
                format!(
                    "{rays}, but packets take no options of first hits, such as triangles to skip"
                )
            }
            Why::TreeHeld => format!("{rays}, and the tree ({tree}) is within {cache}"),
            Why::TreeNotHeld => format!("{rays}, and the tree ({tree}) exceeds {cache}"),
        }
    }

    fn of_chunks(&self) -> String {
        match self.threads {
            1 => "in the calling thread".into(),
            threads => format!("in {threads} threads"),
        }
    }

    fn of_order(&self) -> String {
        let facts = &self.facts;
        match (self.reorder, self.tile_rows) {
            (true, _) if facts.is_about_positions || facts.is_one_by_one => {
                format!("sorted by position in windows of {}", self.chunk_size)
            }
            (true, _) => format!(
                "rays sorted by origin and direction in windows of {}",
                self.chunk_size
            ),
            (false, 0) => "rays in the given order".into(),
            (false, rows) => format!(
                "scanlines of {} rays, traced in tiles of up to {rows} scanlines",
                facts.sampled.scanline
            ),
        }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [technique, chunks, order] = self.reasons();
        write!(f, "{}: {technique}", self.technique)?;
        write!(f, "\nchunks of {} rays {chunks}", self.chunk_size)?;
        match self.reorder || self.tile_rows > 0 {
            true => write!(f, "\n{order}"),
            false => Ok(()),
        }
    }
}

/// A size in bytes that is displayed with a unit.
struct Bytes(usize);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
        let mut size = self.0 as f64 / 1024.0;
        let mut unit = 0;
        while size >= 1023.95 && unit + 1 < UNITS.len() {
            size /= 1024.0;
            unit += 1;
        }
        let digits = if size >= 9.995 { 0 } else { 1 };
        write!(f, "{size:.digits$} {}", UNITS[unit])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: usize = 1 << 20;

    #[test]
    fn sizes_are_said_shortly() {
        let said = [0, 100, 1024, 1536 * 1024, 32 * MIB, 1023 * MIB, 1024 * MIB];
        let said = said.map(|bytes| Bytes(bytes).to_string());
        let expected = [
            "0.0 KiB", "0.1 KiB", "1.0 KiB", "1.5 MiB", "32 MiB", "1023 MiB", "1.0 GiB",
        ];
        assert_eq!(said, expected);
    }
}
