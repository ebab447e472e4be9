//! The facts about a tree.

use crate::number::{bytes, counted, grouped, seconds};
use estoc::{engine::SimdLevel, stats::BvhStats};
use serde_json::{Value, json};
use std::time::Duration;

pub(super) struct Tree {
    pub(super) stats: BvhStats,
    pub(super) simd: SimdLevel,
    /// How the tree came to be, such as "built in", and the time that it took.
    pub(super) had: (&'static str, Duration),
}

impl Tree {
    pub(super) fn object(&self) -> Value {
        let stats = &self.stats;
        json!({
            "seconds": seconds(self.had.1.as_secs_f64()),
            "layout": stats.layout.to_string(),
            "nodes": stats.nodes,
            "leaves": stats.leaves,
            "max_leaf": stats.max_leaf,
            "depth": stats.depth,
            "mean_depth": stats.mean_depth,
            "leaf_sizes": stats.leaf_sizes[1..],
            "children": stats.children[1..],
            "sah_cost": stats.sah_cost,
            "expected": {
                "nodes": stats.expected_nodes,
                "leaves": stats.expected_leaves,
                "triangles": stats.expected_triangles,
            },
            "bytes": stats.bytes,
            "bytes_by_part": stats.bytes_by_part,
            "shared_bytes": stats.shared_bytes,
            "bytes_per_triangle": stats.bytes_per_triangle(),
            "simd": self.simd.to_string(),
        })
    }

    /// Returns lines of text, each with its label.
    pub(super) fn rows(&self) -> Vec<(&'static str, String)> {
        let stats = &self.stats;
        let mut rows = vec![(
            "tree",
            format!(
                "{}, {} of at most {}, depth {} ({:.1} on average)",
                counted(stats.nodes, "node"),
                leaves(stats.leaves),
                counted(stats.max_leaf, "triangle"),
                stats.depth,
                stats.mean_depth,
            ),
        )];
        if stats.leaves > 0 {
            rows.push(("leaf sizes", shares(&stats.leaf_sizes)));
            rows.push(("children", shares(&stats.children)));
        }
        rows.push((
            "SAH cost",
            format!(
                "{:.1}: a random ray visits {:.1} nodes and {:.1} leaves with {:.1} triangles",
                stats.sah_cost,
                stats.expected_nodes,
                stats.expected_leaves,
                stats.expected_triangles,
            ),
        ));
        let parts = &stats.bytes_by_part;
        let named = [
            ("nodes", parts.nodes),
            ("triangles", parts.triangles),
            ("triangle numbers", parts.names),
            ("tables", parts.tables),
        ];
        let parts: Vec<String> = named
            .into_iter()
            .filter(|(_, size)| *size > 0)
            .map(|(part, size)| format!("{part} {}", bytes(size)))
            .collect();
        rows.push((
            "memory",
            format!(
                "{} ({}), {:.1} bytes per triangle",
                bytes(stats.bytes),
                parts.join(", "),
                stats.bytes_per_triangle(),
            ),
        ));
        let shared = match stats.shared_bytes {
            0 => String::new(),
            shared => format!(", and uses {} of the mesh", bytes(shared)),
        };
        rows.push(("layout", format!("{}{shared}", stats.layout)));
        rows.push(("SIMD", self.simd.to_string()));
        let (had, time) = self.had;
        rows.push((had, format!("{:.3} s", time.as_secs_f64())));
        rows
    }
}

/// Returns a number of leaves with its noun.
fn leaves(n: usize) -> String {
    match n {
        1 => "1 leaf".to_owned(),
        n => format!("{} leaves", grouped(n)),
    }
}

/// Formats the share of each count in the sum, labelled by its index; zero counts are omitted.
fn shares(counts: &[usize]) -> String {
    let total: usize = counts.iter().sum();
    let told: Vec<String> = counts
        .iter()
        .enumerate()
        .filter(|(_, count)| **count > 0)
        .map(|(n, count)| format!("{n}: {:.1} %", 100.0 * *count as f64 / total as f64))
        .collect();
    told.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up_and_nothing_is_left_out() {
        assert_eq!(shares(&[0, 1, 0, 3]), "1: 25.0 %, 3: 75.0 %");
        assert_eq!(shares(&[0, 7]), "1: 100.0 %");
        assert_eq!(shares(&[0, 0]), "");
    }
}
