//! The public interface at first sight: names, conversions, one-line output.

use estoc::camera::{FieldOfView, Viewport};
use estoc::demo::DemoSpec;
use estoc::shapes::RayError;
use estoc::{Aabb, Batch, BruteForce, Bvh, Camera, Mesh, PrimId, Progress, Ray};

/// Limits the names at the root in `lib.rs`, and those of all modules, so that the list stays easy to
/// read.
#[test]
fn there_are_few_names() {
    let source = include_str!("../../src/lib.rs");
    // The uses of modules are indented.
    let of_the_root = names(source.split("\npub use ").skip(1));
    assert!((20..=30).contains(&of_the_root.len()), "{of_the_root:?}");
    let all = names(source.split("pub use ").skip(1));
    assert!((100..=175).contains(&all.len()), "{}", all.len());
}

/// Returns the names of uses, which start behind `pub use`.
fn names<'s>(uses: impl Iterator<Item = &'s str>) -> Vec<&'s str> {
    uses.filter_map(|after| after.split(';').next())
        .flat_map(|used| match used.split_once('{') {
            Some((_, names)) => names.split(['}', ',']).collect::<Vec<_>>(),
            None => vec![used],
        })
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .collect()
}

#[test]
fn debug_of_large_things_is_one_short_line() {
    let mesh = "soup?n=5000".parse::<DemoSpec>().unwrap().mesh();
    let bvh = Bvh::build(&mesh);
    let brute = BruteForce::new(mesh.triangles().collect::<Vec<_>>());
    let progress = |_: Progress| ();
    let lines = [
        format!("{mesh:?}"),
        format!("{bvh:?}"),
        format!("{brute:?}"),
        format!(
            "{:?}",
            Batch::<PrimId>::new().threads(3).progress(&progress)
        ),
        format!("{:?}", Bvh::builder().threads(2).progress(&progress)),
    ];
    for line in &lines {
        assert!(line.len() < 400 && !line.contains('\n'), "{line}");
    }
    for line in &lines[..3] {
        assert!(line.contains("triangles: 5000"), "{line}");
    }
    assert!(lines[3].contains("threads: 3"), "{}", lines[3]);
    assert!(lines[4].contains("threads: 2"), "{}", lines[4]);
}

#[test]
fn bounds_of_a_tree_are_those_of_its_mesh() {
    for spec in ["soup?n=3000", "sphere?n=500"] {
        let mesh = spec.parse::<DemoSpec>().unwrap().mesh();
        let bvh = Bvh::build(&mesh);
        assert_eq!(bvh.bounds(), mesh.bounds(), "{spec}");
    }
    assert_eq!(Bvh::build(&Mesh::default()).bounds(), Aabb::EMPTY);
}

#[test]
fn bounds_follow_a_refit() {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let at = |z: f32| Mesh::try_new(corners.map(|[x, y, _]| [x, y, z]), [[0, 1, 2]]).unwrap();
    let mut bvh = Bvh::build(&at(1.0));
    assert_eq!(bvh.bounds().max().z, 1.0);
    bvh.refit(&at(5.0)).unwrap();
    assert_eq!(bvh.bounds().max().z, 5.0);
}

#[test]
fn rays_of_a_camera_are_those_of_its_pixels() {
    let viewport = Viewport::new(8.0, 6.0).at(3.0, 2.0);
    let fov = FieldOfView::horizontal_degrees(70.0);
    let eye = [0.0, 0.0, 5.0];
    let camera = Camera::look_at(viewport, eye, [0.0; 3], [0.0, 1.0, 0.0], fov).unwrap();
    let rays: Vec<Ray> = camera.rays(8, 6).collect();
    assert_eq!(rays.len(), 48);
    for (i, ray) in rays.iter().enumerate() {
        let (column, row) = ((i % 8) as f32, (i / 8) as f32);
        assert_eq!(*ray, camera.ray([3.5 + column, 2.5 + row]), "{i}");
    }
    // A quarter of the pixels: each is the centre of four.
    let coarse: Vec<Ray> = camera.rays(4, 3).collect();
    assert_eq!(coarse[0], camera.ray([4.0, 3.0]));
    assert_eq!(camera.rays(0, 3).len() + camera.rays(3, 0).len(), 0);
}

#[test]
fn numbers_of_triangles_convert() {
    let prim = PrimId::try_from(7).unwrap();
    assert_eq!(u32::from(prim), 7);
    let error = PrimId::try_from(u32::MAX).unwrap_err();
    assert!(error.to_string().contains("miss"), "{error}");
}

#[test]
fn rays_are_refused_with_the_reason() {
    let nan = Ray::try_new([f32::NAN, 0.0, 0.0], [1.0, 0.0, 0.0]);
    assert!(matches!(nan, Err(RayError::Origin(_))));
    let ray = Ray::try_new([0.0; 3], [1.0, 0.0, 0.0]).unwrap();
    assert_eq!(ray, Ray::new([0.0; 3], [1.0, 0.0, 0.0]));
    let backwards = ray.try_with_interval(1.0, 0.0);
    assert!(matches!(backwards, Err(RayError::Interval { .. })));
    assert_eq!(ray.try_with_interval(0.0, 1.0).unwrap().t_max, 1.0);
}

/// The search of the documentation uses these attributes.
#[test]
fn what_people_search_for_has_an_alias() {
    let crates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let files = [
        "core/src/query/ray_query.rs",
        "core/src/shapes/ray/mod.rs",
        "core/src/shapes/ids.rs",
        "batch/src/question_methods.rs",
        "mesh/src/mesh/details.rs",
    ];
    let mut sources = String::new();
    for file in files {
        sources += &std::fs::read_to_string(crates.join(file)).expect(file);
    }
    for alias in [
        "occluded",
        "intersects_first",
        "raycast",
        "cast_ray",
        "cast_rays",
        "tnear",
        "tfar",
        "geom_id",
        "prim_id",
    ] {
        let attribute = format!("#[doc(alias = \"{alias}\")]");
        assert!(sources.contains(&attribute), "{alias}");
    }
}
