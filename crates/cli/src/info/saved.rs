//! The facts about a tree file, including those about its tree.

use super::tree::Tree;
use super::{bounds, materials, names, span};
use crate::frame::Frame;
use crate::local_frame;
use crate::number::{bytes, grouped};
use crate::surface_facts::SurfaceFacts;
use estoc::{Quality, glam::DVec3, io::TreeFile};
use serde_json::{Value, json};
use std::fmt::Write;

pub(super) fn object(name: &str, file: &TreeFile, surface: &SurfaceFacts, tree: &Tree) -> Value {
    let facts = file.facts();
    let materials = materials(file.materials());
    let [closed, open_edges] = surface.closed.json();
    json!({
        "schema": "estoc.info/1",
        "mesh": name,
        "file": {
            "version": facts.version,
            "writer": facts.writer,
            "source": facts.source,
            "bytes": facts.bytes,
            "mesh_hash": facts.mesh_hash.map(hash),
            "hash_with_masks": hash_with_masks(file).map(hash),
            "quality": facts.quality.map(|quality| quality.to_string()),
        },
        "triangles": facts.triangles,
        "vertices": facts.vertices,
        "origin": facts.origin.to_array(),
        "bounds": bounds(&facts.bounds, Frame(facts.origin)),
        "closed": closed,
        "open_edges": open_edges,
        "orientation": surface.orientation_json(),
        "objects": file.objects(),
        "groups": file.groups(),
        "materials": materials,
        "report": null,
        "warnings": [],
        "bvh": tree.object(),
    })
}

pub(super) fn text(name: &str, file: &TreeFile, surface: &SurfaceFacts, tree: &Tree) -> String {
    let facts = file.facts();
    let mut text = format!("{name}\n");
    let mut row = |label: &str, value: String| {
        let _ = writeln!(text, "  {label:<10} {value}");
    };
    let source = facts.source.as_deref().unwrap_or("an unnamed mesh");
    row(
        "tree file",
        format!(
            "version {} by {}, {}, of {source}",
            facts.version,
            facts.writer,
            bytes(facts.bytes as usize)
        ),
    );
    row("mesh hash", facts.mesh_hash.map_or("none".into(), hash));
    if let Some(with_masks) = hash_with_masks(file).filter(|&of| Some(of) != facts.mesh_hash) {
        row("masks", format!("hash with the mesh: {}", hash(with_masks)));
    }
    row("triangles", grouped(facts.triangles));
    let count = |count: Option<u64>| count.map_or("unknown".into(), |n| grouped(n as usize));
    row("vertices", count(facts.vertices));
    row("faces", count(facts.faces));
    row("bounds", span(&facts.bounds, Frame(facts.origin)));
    if facts.origin != DVec3::ZERO {
        row("origin", local_frame::coordinates(facts.origin));
    }
    row("closed", surface.closed.to_string());
    if let Some(oriented) = surface.oriented() {
        row("oriented", oriented);
    }
    row("objects", names(file.objects().iter()));
    row("groups", names(file.groups().iter()));
    let materials = file.materials().iter();
    row("materials", names(materials.map(|material| &material.name)));
    let quality = facts.quality.as_ref().map(Quality::to_string);
    row("quality", quality.unwrap_or("unknown".into()));
    for (label, value) in tree.rows() {
        row(label, value);
    }
    text
}

fn hash_with_masks(file: &TreeFile) -> Option<u64> {
    let mesh_hash = file.facts().mesh_hash?;
    Some(file.bvh().hash_with_masks(mesh_hash))
}

fn hash(hash: u64) -> String {
    format!("{hash:016x}")
}
