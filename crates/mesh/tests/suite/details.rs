//! Details of a hit, by OBJ text and hit.

use crate::common::obj_text::skip;
use crate::common::warnings;
use estoc_core::glam::{DVec3, Vec2, Vec3};
use estoc_core::{Hit, PrimId, Ray, Side};
use estoc_mesh::{HitDetails, Mesh, ObjLoader};

fn hit(prim: u32, u: f32, v: f32) -> Hit {
    let prim = PrimId::new(prim).unwrap();
    Hit { t: 1.0, u, v, prim }
}

fn details(mesh: &Mesh, prim: u32) -> HitDetails<'_> {
    mesh.details(&hit(prim, 0.5, 0.25))
        .expect("a triangle that can be hit")
}

/// Returns a square of side 4 in z = 0, with attributes of its corners, followed by `rest`.
fn square(rest: &str) -> String {
    format!(
        "v 0 0 0\nv 4 0 0\nv 4 4 0\nv 0 4 0\n\
         vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n\
         vn 0 0 1\nvn 0 3 0\nvn 5 0 0\nvn 0 0 -1\n{rest}"
    )
}

/// The texture coordinate at weights 1/4, 1/2, 1/4, and the shading normal, of the first triangle
/// of each text.
#[test]
fn texture_coordinates_and_normals_in_every_form() {
    let none = (None, None);
    let at = |u: f32, v: f32| Some(Vec2::new(u, v));
    let unit = |x, y, z| Some(DVec3::new(x, y, z).normalize().as_vec3());
    for (face, expected) in [
        ("f 1 2 3", none),
        ("f 1/1 2/2 3/3", (at(0.75, 0.25), None)),
        ("f 1//1 2//1 3//1", (None, unit(0.0, 0.0, 1.0))),
        ("f 1//1 2//2 3//3", (None, unit(1.25, 1.5, 0.25))),
        ("f 1/1/1 2/2/1 3/3/1", (at(0.75, 0.25), unit(0.0, 0.0, 1.0))),
        (
            "f -4/-4/-4 -3/-3/-4 -2/-2/-4",
            (at(0.75, 0.25), unit(0.0, 0.0, 1.0)),
        ),
        (
            "f 1/-4/-1 2/2/-1 3/-2/4",
            (at(0.75, 0.25), unit(0.0, 0.0, -1.0)),
        ),
        // If a corner lacks the attribute, the triangle has none; the other attribute is not
        // affected.
        ("f 1/1 2 3/3", none),
        ("f 1/1/1 2//1 3/3/1", (None, unit(0.0, 0.0, 1.0))),
        ("f 1/1/1 2/2 3/3/1", (at(0.75, 0.25), None)),
        // An index out of range counts as a missing attribute.
        ("f 1/1 2/9 3/3", none),
        ("f 1/1 2/0 3/3", none),
        ("f 1/1 2/-9 3/3", none),
        ("f 1/1 2/4294967295 3/3", none),
        ("f 1/1 2/4294967298 3/3", none),
        ("f 1//1 2//99999999999999999999 3//1", none),
        // A positive index may refer to a later definition, a negative one may not.
        ("f 1/5 2/5 3/5\nvt 7 8 9", (at(7.0, 8.0), None)),
        ("f 1/-5 2/-5 3/-5\nvt 7 8 9", none),
        // One number is enough.
        ("vt 4\nf 1/-1 2/-1 3/-1", (at(4.0, 0.0), None)),
        ("vt 4 5 x y\nf 1/-1 2/-1 3/-1", (at(4.0, 5.0), None)),
        // An unreadable definition is counted but has no value.
        ("vt x\nf 1/5 2/1 3/1", none),
        ("vt nan 0\nf 1/5 2/1 3/1", none),
        ("vn 0 0\nf 1//5 2//1 3//1", none),
        ("vn 0 1e39 0\nf 1//5 2//1 3//1", none),
        ("vt x\nvt 6 6\nf 1/6 2/6 3/6", (at(6.0, 6.0), None)),
        // Normals that cancel, or have no length, have no direction.
        ("f 1//1 2//4 3//1", none),
        ("vn 0 0 0\nf 1//5 2//5 3//5", none),
        (
            "vn 1e-40 0 0\nf 1//5 2//5 3//5",
            (None, unit(1.0, 0.0, 0.0)),
        ),
        (
            "vn 3e38 -3e38 0\nf 1//5 2//5 3//5",
            (None, unit(1.0, -1.0, 0.0)),
        ),
    ] {
        let mesh = skip(square(face));
        let place = details(&mesh, 0);
        assert_eq!((place.texcoord, place.shading_normal), expected, "{face}");
        assert_eq!(place.point, Vec3::new(3.0, 1.0, 0.0), "{face}");
        assert_eq!(place.normal, Vec3::Z, "{face}");
        let bare = ObjLoader::new().attributes(false);
        let mesh = bare.read(square(face).as_bytes(), "bare").unwrap();
        let place = details(&mesh, 0);
        assert_eq!((place.texcoord, place.shading_normal), none, "{face}");
        assert!(mesh.texcoords().is_empty() && mesh.normals().is_empty());
        assert!(mesh.texcoord_indices().is_empty() && mesh.normal_indices().is_empty());
    }
}

/// Each corner of a polygon keeps its own attributes, however the polygon is triangulated, even
/// where a vertex occurs several times with different ones.
#[test]
fn polygons_keep_what_belongs_to_their_corners() {
    // An arrowhead: the fan from the first corner would fold over, so ears are clipped.
    let arrow = "v 0 0 0\nv 4 -4 0\nv 0 8 0\nv -4 -4 0\n";
    // A square with a square hole, joined by a doubled edge: corners 1 and 5 occur twice.
    let ring = "v 0 0 0\nv 9 0 0\nv 9 9 0\nv 0 9 0\nv 3 3 0\nv 3 6 0\nv 6 6 0\nv 6 3 0\n";
    for (vertices, order, concave) in [
        (arrow, vec![2, 3, 4, 1], 1),
        (arrow, vec![1, 2, 3, 4], 0),
        (ring, vec![1, 2, 3, 4, 1, 5, 6, 7, 8, 5], 1),
    ] {
        let mut text = vertices.to_owned();
        let mut face = "f".to_owned();
        for (place, vertex) in order.iter().enumerate() {
            // The first number identifies the corner of the face, the second the vertex.
            text += &format!("vt {place} {vertex}\nvn {vertex} {place} 1\n");
            face += &format!(" {vertex}/{0}/{0}", place + 1);
        }
        let mesh = skip(&(text + &face));
        assert_eq!(mesh.triangle_count(), order.len() - 2);
        assert_eq!(mesh.report().concave_polygons, concave, "{face}");
        let mut seen = vec![false; order.len()];
        for (prim, vertices) in (0..).zip(mesh.indices()) {
            let prim = PrimId::new(prim).unwrap();
            let texcoords = mesh.corner_texcoords(prim).unwrap();
            let normals = mesh.corner_normals(prim).unwrap();
            for ((vertex, vt), vn) in vertices.iter().zip(texcoords).zip(normals) {
                assert_eq!(vt.y, *vertex as f32 + 1.0, "{face}");
                assert_eq!((vn.x, vn.y), (vt.y, vt.x), "{face}");
                seen[vt.x as usize] = true;
            }
        }
        assert!(seen.iter().all(|&seen| seen), "{face}: {seen:?}");
    }
}

#[test]
fn a_hit_has_a_face_and_names() {
    let text = square(
        "o house\ng north wall\nusemtl brick\nf 1 2 1\nf 1 2 3\nf 1 2\nf 1 9 3\no\nf 1 2 3 4\n",
    );
    let mesh = skip(&text);
    assert_eq!(mesh.triangle_count(), 4);
    let place = details(&mesh, 1);
    assert_eq!((place.prim.get(), place.face, place.line), (1, 1, Some(17)));
    assert_eq!(Some(place.triangle), mesh.triangle(place.prim));
    let found = (place.object, place.group);
    assert_eq!(found, (Some("house"), Some("north wall")));
    let found = place.material.map(|material| material.name.as_str());
    assert_eq!(found, Some("brick"));
    for prim in [2, 3] {
        let place = details(&mesh, prim);
        assert_eq!((place.face, place.line, place.object), (4, Some(21), None));
    }
    let ray = |z: f32| Ray::new([1.0, 1.0, -z], [0.5, 0.5, z]);
    assert_eq!(place.side(&ray(-2.0)), Some(Side::Front));
    assert_eq!(place.side(&ray(2.0)), Some(Side::Back));
    assert_eq!(place.side(&ray(0.0)), None);
    let (left, options) = place.spawn_ray([0.0, 0.0, 1.0]);
    assert_eq!(left.origin, place.point);
    assert_eq!(options.skip, Some(place.prim));
    // A mesh of positions and indices has no lines, names, texture coordinates or normals.
    let plain = Mesh::try_new([[0.0; 3], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0]], [[0, 1, 2]]).unwrap();
    let place = details(&plain, 0);
    assert_eq!((place.face, place.line, place.object), (0, None, None));
    assert_eq!((place.texcoord, place.shading_normal), (None, None));
}

#[test]
fn what_is_no_hit_of_the_mesh_has_no_details() {
    let mesh = skip(square("f 1 2 3\nf 1 2 1\n"));
    assert!(mesh.details(&hit(0, 0.0, 1.0)).is_some());
    assert!(mesh.details(&hit(0, 0.5f32.next_up(), 0.5)).is_some()); // rounded up
    for (prim, u, v) in [
        (1, 0.0, 0.0), // no area
        (2, 0.0, 0.0), // no such triangle
        (u32::MAX - 1, 0.0, 0.0),
        (0, f32::NAN, 0.0),
        (0, 0.0, -0.1),
        (0, 1.1, 0.0),
        (0, 0.75, 0.5),
        (0, f32::INFINITY, 0.0),
    ] {
        assert!(mesh.details(&hit(prim, u, v)).is_none(), "{prim} {u} {v}");
    }
    assert!(Mesh::default().details(&hit(0, 0.0, 0.0)).is_none());
}

#[test]
fn unreadable_ones_are_told_with_their_number_and_line() {
    let text = square("vt nan 0\nvn\nvt 1\nvt 0,5 1\nvn 1 2\nvn a b c\nvn 1 1 1\nf 1 2 3\n");
    let mesh = skip(&text);
    let told = warnings(&mesh);
    assert_eq!(
        told,
        [
            "2 texture coordinates are not finite or could not be parsed, and are skipped \
             (texture coordinate 5 on line 13, texture coordinate 7 on line 16)",
            "3 normals are not finite or could not be parsed, and are skipped \
             (normal 5 on line 14, normal 6 on line 17, normal 7 on line 18)",
        ]
    );
    let report = mesh.report();
    assert_eq!((report.texture_coordinates, report.normals), (7, 8));
    assert_eq!((mesh.texcoords().len(), mesh.normals().len()), (7, 8));
    assert!(mesh.texcoords()[4].is_nan() && mesh.normals()[6].is_nan());
    // The numbers of attributes that are not kept are not checked.
    let bare = ObjLoader::new().attributes(false);
    let bare = bare.read(text.as_bytes(), "bare").unwrap();
    assert!(bare.report().warnings().is_empty());
    let found = (bare.report().texture_coordinates, bare.report().normals);
    assert_eq!(found, (7, 8));
}
