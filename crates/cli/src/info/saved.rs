//! The facts about a tree file.

use super::LabelledLine;
use crate::number::{bytes, grouped};
use estoc::{Quality, io::TreeFile};
use estoc_core::Coordinate;
use serde_json::{Value, json};

pub(super) fn object<C: Coordinate>(file: &TreeFile<C>) -> Value {
    let facts = file.facts();
    json!({
        "version": facts.version,
        "writer": facts.writer,
        "source": facts.source,
        "bytes": facts.bytes,
        "mesh_hash": facts.mesh_hash.map(hash),
        "hash_with_masks": hash_with_masks(file).map(hash),
        "quality": facts.quality.map(|quality| quality.to_string()),
    })
}

/// Returns what only a tree file tells: before the number of triangles, after that, and after the names.
pub(super) fn rows<C: Coordinate>(
    file: &TreeFile<C>,
) -> (Vec<LabelledLine>, Vec<LabelledLine>, LabelledLine) {
    let facts = file.facts();
    let source = facts.source.as_deref().unwrap_or("an unnamed mesh");
    let (version, writer) = (facts.version, &facts.writer);
    let size = bytes(facts.bytes as usize);
    let mut before = vec![
        (
            "tree file",
            format!("version {version} by {writer}, {size}, of {source}"),
        ),
        ("mesh hash", facts.mesh_hash.map_or("none".into(), hash)),
    ];
    if let Some(with_masks) = hash_with_masks(file).filter(|&of| Some(of) != facts.mesh_hash) {
        let hash = format!("hash with the mesh: {}", hash(with_masks));
        before.push(("masks", hash));
    }
    let count = |count: Option<u64>| count.map_or("unknown".into(), |n| grouped(n as usize));
    let counts = vec![
        ("vertices", count(facts.vertices)),
        ("faces", count(facts.faces)),
    ];
    let quality = facts.quality.as_ref().map(Quality::to_string);
    (
        before,
        counts,
        ("quality", quality.unwrap_or("unknown".into())),
    )
}

fn hash_with_masks<C: Coordinate>(file: &TreeFile<C>) -> Option<u64> {
    let mesh_hash = file.facts().mesh_hash?;
    Some(file.bvh().hash_with_masks(mesh_hash))
}

fn hash(hash: u64) -> String {
    format!("{hash:016x}")
}
