//! Masks selected by the names of triangles.

use estoc_core::{Masks, PrimId};
use estoc_mesh::{Mesh, ObjLoader, TriangleGroup};

fn obj(text: &str) -> Mesh {
    ObjLoader::new().read(text.as_bytes(), "names.obj").unwrap()
}

/// Formats a group.
fn told(group: &TriangleGroup<'_>) -> String {
    let [object, name] = [group.object, group.group].map(|name| name.unwrap_or("-"));
    let material = group
        .material
        .map_or("-", |material| material.name.as_str());
    format!("{:?} {object} {name} {material}", group.triangles)
}

fn groups(mesh: &Mesh) -> Vec<String> {
    let mut groups = Vec::new();
    let masks = mesh.masks_by(|group| {
        groups.push(told(group));
        1 << groups.len()
    });
    assert_eq!(masks.runs().len(), groups.len());
    groups
}

const CORNERS: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

#[test]
fn each_stretch_of_equal_names_is_asked_about_once() {
    let mesh = obj(&format!(
        "{CORNERS}f 1 2 3\nusemtl red\nf 1 2 3\nf 1 2 3\no house\nf 1 2 3\n\
         g roof\nusemtl blue\nf 1 2 3 4\nusemtl blue\nf 1 2 3\nusemtl red\nf 1 2 3\n\
         o tree\ng roof\nusemtl green\n"
    ));
    // Names without triangles follow the last one; a face of four corners has two triangles.
    assert_eq!(
        groups(&mesh),
        [
            "0..1 - - -",
            "1..3 - - red",
            "3..4 house - red",
            "4..7 house roof blue",
            "7..8 house roof red",
        ]
    );
    let masks = mesh.masks_by(|group| match group.material {
        Some(material) if material.name == "red" => 0b01,
        Some(_) => 0b10,
        None => 0,
    });
    let expected = [(1, 0), (3, 0b01), (3, 0b10), (1, 0b01)];
    assert_eq!(masks, Masks::from_runs(expected));
    for prim in (0..8).map(|prim| PrimId::new(prim).unwrap()) {
        let is_red = mesh.material_of(prim).is_some_and(|m| m.name == "red");
        assert_eq!(masks.shows(prim, 1), is_red, "{prim}");
    }
}

#[test]
fn triangles_without_names_are_one_group() {
    let mesh = obj(&format!("{CORNERS}f 1 2 3 4\nf 1 2 3\n"));
    assert_eq!(groups(&mesh), ["0..3 - - -"]);
    assert_eq!(mesh.masks_by(|_| 5), Masks::from_runs([(3, 5)]));
}

#[test]
fn without_triangles_nothing_is_asked() {
    let asked = |mesh: &Mesh| mesh.masks_by(|group| panic!("{group:?}"));
    assert_eq!(asked(&Mesh::default()), Masks::default());
    let mesh = obj(&format!("{CORNERS}o house\nusemtl red\n"));
    assert_eq!(asked(&mesh), Masks::default());
}
