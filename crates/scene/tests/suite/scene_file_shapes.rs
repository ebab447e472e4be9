//! Spheres and boxes in scene files.

use estoc_core::glam::Vec3;
use estoc_core::{Aabb, Obb, Ray, RayQuery, Shape, Sphere};
use estoc_scene::{ObjectSource, SceneFile, SceneFileBox, SceneFileObject};

const SHAPES: &str = r#"
[[object]]
name = "lamp"
boxes = [
    { min = [-1, 0, -1.5], max = [1, 4, 1.5] },
    { center = [8, 0, 0], half_sizes = [5, 5, 1], axes = [[0.6, 0.8, 0], [-0.8, 0.6, 0], [0, 0, 1]] },
    { center = [0.1, 0, 0], half_sizes = [0, 1e-40, 3e38] },
]
[[object.spheres]]
center = [0, 1_0, 0.1]
radius = 2

[[object]]
name = "nothing"
spheres = []

[[placement]]
object = "lamp"
"#;

#[test]
fn shapes_in_the_text_are_read() {
    let file = SceneFile::parse(SHAPES, "shapes.toml").unwrap();
    let [lamp, nothing] = file.objects() else {
        panic!("{file:?}")
    };
    let ObjectSource::Shapes(shapes) = &lamp.source else {
        panic!("{lamp:?}")
    };
    let ball = Sphere::try_new([0.0, 10.0, 0.1], 2.0).unwrap();
    assert_eq!(shapes.spheres, [ball]);
    let [
        SceneFileBox::Aligned(first),
        SceneFileBox::Oriented(second),
        SceneFileBox::Oriented(third),
    ] = shapes.boxes[..]
    else {
        panic!("{shapes:?}")
    };
    let bounds = Aabb::try_new([-1.0, 0.0, -1.5], [1.0, 4.0, 1.5]).unwrap();
    assert_eq!(first, bounds);
    let axes = [[0.6, 0.8, 0.0], [-0.8, 0.6, 0.0], [0.0, 0.0, 1.0]].map(Vec3::from);
    let turned = Obb::try_new([8.0, 0.0, 0.0], axes, [5.0, 5.0, 1.0]);
    assert_eq!(second.obb(), turned.unwrap());
    assert_eq!(third.axes(), [Vec3::X, Vec3::Y, Vec3::Z]);
    assert_eq!((third.center().x, third.half_sizes().y), (0.1, 1e-40));
    // In the order of their numbers.
    let expected: [Shape; 3] = [shapes.spheres[0].into(), bounds.into(), second.obb().into()];
    assert!(shapes.shapes().take(3).eq(expected));
    let counts = |object: &SceneFileObject| (object.source.to_string(), object.source_name());
    assert_eq!(counts(lamp), ("1 sphere, 3 boxes".into(), "lamp".into()));
    assert_eq!(counts(nothing), ("0 spheres".into(), "nothing".into()));
    let text = file.to_string();
    let written = SceneFile::parse(&text, "written.toml").unwrap();
    assert_eq!(written, file, "{text}");
    let other = SHAPES.replace("1e-40", "2e-40");
    assert_ne!(SceneFile::parse(&other, "other.toml").unwrap(), file);
    let loaded = file.build().unwrap();
    let world = loaded.snapshot();
    assert_eq!((world.shape_count(), world.closed_objects()), (4, 1));
    // Through the sphere, from above, and on into the first box.
    let ray = Ray::new([0.0, 20.0, 0.1], [0.0, -2.0, 0.0]).with_interval(0.0, 9.0);
    let found = world.all_hits(&ray);
    let found: Vec<_> = found.iter().map(|hit| (hit.t, hit.prim.get())).collect();
    assert_eq!(found, [(4.0, 0), (6.0, 0), (8.0, 1)]);
    let path = world.closest_hit(&ray).unwrap().path;
    assert_eq!(loaded.object(path).unwrap().name, "lamp");
    assert_eq!(loaded.mesh_number(path), None);
}

#[test]
fn errors_of_shapes_name_the_line_and_the_value() {
    let object = |line: &str| {
        let text = format!("[[object]]\nname = 'a'\n{line}\n");
        SceneFile::parse(&text, "bad.toml").unwrap_err().to_string()
    };
    let sphere = |keys: &str| object(&format!("spheres = [{{ {keys} }}]"));
    let one_box = |keys: &str| object(&format!("boxes = [{{ {keys} }}]"));
    let point = "three finite numbers in the range of f32, as in [0, 0, 1.5]";
    let number = "a finite number in the range of f32";
    let axes = "three lists of three finite numbers, as in [[1, 0, 0], [0, 1, 0], [0, 0, 1]]";
    let turned = |axes: &str| {
        one_box(&format!(
            "center = [0, 0, 0], half_sizes = [1, 1, 1], axes = {axes}"
        ))
    };
    let way_out =
        "or leave the axes out, and turn, scale or shear the box by the matrix of a placement";
    let has = |what: &str| format!("bad.toml:3: {what}");
    #[rustfmt::skip]
    let cases = [
        (object("spheres = [\n[0, 0, 0, 1]]"),
         "bad.toml:4: spheres must be a list of spheres, as in [{ center = [0, 0, 0], radius = 1 }], \
             not an array"
                .to_owned()),
        (object("boxes = 2"),
         has("boxes must be a list of boxes, as in [{ min = [0, 0, 0], max = [1, 1, 1] }], not the \
                 integer 2")),
        (sphere("centre = [0, 0, 0], radius = 1"),
         has("a sphere has no key \"centre\": its keys are center and radius")),
        (sphere("center = [0, 0, 0]"), has("a sphere needs the key radius")),
        (sphere("center = [0, 0], radius = 1"),
         has(&format!("center must be {point}, not an array of 2"))),
        (sphere("center = [0, nan, 0], radius = 1"),
         has(&format!("center must be {point}, not one with the number nan"))),
        (sphere("center = [0, 0, 1e39], radius = 1"),
         has(&format!("center must be {point}, not one with the number 1e39"))),
        (sphere("center = [0, 0, 0], radius = -1.5"),
         has("the sphere's radius -1.5 must not be negative: pass its absolute value")),
        (sphere("center = [0, 0, 0], radius = inf"),
         has(&format!("radius must be {number}, not the number inf"))),
        (sphere("center = [0, 0, 0], radius = '1'"),
         has(&format!("radius must be {number}, not the string \"1\""))),
        (one_box("min = [0, 0, 0]"), has("a box needs the key max")),
        (one_box(""), has("a box needs the key min or the key center")),
        (one_box("min = [0, 0, 0], max = [1, 1, 1], axes = 1"),
         has("a box has no key \"axes\": its keys are min and max, or center, half_sizes and axes")),
        (one_box("center = [0, 0, 0], size = 1"),
         has("a box has no key \"size\": its keys are center, half_sizes and axes, or min and max")),
        (one_box("center = [0, 0, 0]"), has("a box needs the key half_sizes")),
        (one_box("min = [0, 2, 0], max = [1, 1, 1]"),
         has("the box from [0.0, 2.0, 0.0] to [1.0, 1.0, 1.0] is inverted (min > max): swap the \
                 coordinates")),
        (one_box("center = [0, 0, 0], half_sizes = [1, -2, 1]"),
         has("the box's half size -2.0 along axis 1 must not be negative: write its absolute value")),
        (turned("[[1, 0, 0], [0, 1, 0]]"), has(&format!("axes must be {axes}, not an array of 2"))),
        (turned("[[1, 0, 0], [0, 1, 0], [0, 'z', 0]]"),
         has(&format!("axes must be {axes}, not one with the string \"z\""))),
        (turned("[[2, 0, 0], [0, 1, 0], [0, 0, 1]]"),
         has(&format!(
                "the box's axis 0, [2.0, 0.0, 0.0], has length 2 instead of 1: normalise it, {way_out}"
         ))),
        (turned("[[1, 0, 0], [1, 0, 0], [0, 0, 1]]"),
         has(&format!(
                "the box's axes 0 and 1 must be at right angles, but the cosine between them is 1: \
                 correct them, {way_out}"
         ))),
        (one_box("center = [3e38, 0, 0], half_sizes = [3e38, 1, 1]"),
         has("a corner of the box lies beyond the greatest f32, 340282350000000000000000000000000000000: \
                 choose a larger unit")),
    ];
    for (found, expected) in cases {
        assert_eq!(found, expected);
    }
}
