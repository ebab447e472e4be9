//! Ray against oriented box: the classic cases, corners, and degenerate boxes. `B1` identifies a
//! case by its source.

use estoc_core::glam::{Mat4, Quat, Vec3, Vec4};
use estoc_core::{Aabb, BoxFace, Obb, Ray, Span};
use std::f32::consts::FRAC_1_SQRT_2 as DIAGONAL_2;

const INF: f32 = f32::INFINITY;
/// A component of the direction (1, 1, 1) of length 1.
const DIAGONAL_3: f32 = 0.577_350_26;
const XYZ: [Vec3; 3] = [Vec3::X, Vec3::Y, Vec3::Z];

/// Returns axes rotated about z by the angle of the triangle 3, 4, 5. In f32 they are longer than 1
/// by 1e-8, and exactly at right angles.
fn turned() -> [Vec3; 3] {
    [[0.6, 0.8, 0.0], [-0.8, 0.6, 0.0], [0.0, 0.0, 1.0]].map(Vec3::from)
}

fn obb(center: [f32; 3], axes: [Vec3; 3], half_sizes: [f32; 3]) -> Obb {
    Obb::try_new(center, axes, half_sizes).unwrap()
}

fn cube() -> Aabb {
    Aabb::try_new([-1.0; 3], [1.0; 3]).unwrap()
}

fn image(model: Mat4) -> Obb {
    Obb::from_model(&cube(), &model).unwrap()
}

fn slab(entry: f32, exit: f32) -> Option<Span> {
    Some(Span { entry, exit })
}

fn face(axis: usize, is_max: bool) -> Option<BoxFace> {
    Some(BoxFace { axis, is_max })
}

/// Returns the axes of the triangle 3, 4, 5 about z, five times as long, at a place.
fn five_times_turned(place: Vec4) -> Mat4 {
    Mat4::from_cols(
        Vec4::new(3.0, 4.0, 0.0, 0.0),
        Vec4::new(-4.0, 3.0, 0.0, 0.0),
        Vec4::new(0.0, 0.0, 5.0, 0.0),
        place,
    )
}

/// B1 (DirectXMath test suite, math3/obox.cpp TestO05).
#[test]
fn cases_of_directxmath() {
    for unit in [obb([0.0; 3], XYZ, [1.0; 3]), image(Mat4::IDENTITY)] {
        let inside = Ray::new([0.1; 3], [0.0, 0.0, 1.0]);
        assert_eq!(unit.slab(&inside), slab(-1.1, 0.9));
        assert_eq!(unit.enter_solid(&inside), Some(0.0));
        let beside = Ray::new([10.0; 3], [0.0, 0.0, 1.0]);
        assert_eq!(unit.slab(&beside), None);
        let diagonal = Ray::new([10.0; 3], [-DIAGONAL_3; 3]);
        let through = slab(9.0 / DIAGONAL_3, 11.0 / DIAGONAL_3);
        assert_eq!(unit.slab(&diagonal), through);
        let entry = unit.slab(&diagonal).unwrap().entry;
        assert!((entry - 15.588_465).abs() < 1e-4); // as in the test suite
    }
}

/// The five rays of the slab figure, in a rotated box.
#[test]
fn classic_rays_in_the_frame_of_the_box() {
    let model = five_times_turned(Vec4::new(7.0, -2.0, 1.0, 1.0));
    let local = Aabb::try_new([2.0, 1.0, -1.0], [6.0, 3.0, 1.0]).unwrap();
    let world = Obb::from_model(&local, &model).unwrap();
    for (origin, dir) in [
        ([1.0, -2.0, 0.0], [2.0, 1.0, 0.0]), // disjoint
        ([0.0, 4.0, 0.0], [1.0, 0.0, 0.0]),  // parallel, outside
        ([4.0, 2.0, 0.0], [2.0, 0.5, 0.0]),  // from inside
        ([0.0, 0.5, 0.0], [1.0, 0.5, 0.0]),  // overlap
        ([0.0, 2.0, 0.0], [1.0, 0.0, 0.0]),  // parallel, inside
        ([7.0, 2.0, 0.0], [1.0, 0.0, 0.0]),  // behind
        ([0.0, 3.0, 1.0], [1.0, 0.0, 0.0]),  // along an edge
        ([2.0, 1.0, -1.0], [0.0, 0.0, 1.0]), // from a corner along an edge
        ([1.0, 0.0, -2.0], [1.0, 1.0, 1.0]), // into a corner
    ] {
        let aligned = Ray::new(origin, dir);
        let dir = model.transform_vector3(dir.into());
        let moved = Ray::new(model.transform_point3(origin.into()), dir);
        assert_eq!(world.slab(&moved), local.slab(&aligned), "{aligned:?}");
        assert_eq!(world.enter_solid(&moved), local.enter_solid(&aligned));
        assert_eq!(world.enter_surface(&moved), local.enter_surface(&aligned));
        let (found, hit) = (world.hit(&moved), local.woo(&aligned));
        assert_eq!(found.map(|h| (h.t, h.face)), hit.map(|h| (h.t, h.face)));
        if let (Some(found), Some(hit)) = (found, hit) {
            let point = model.transform_point3(hit.point);
            assert_eq!(found.point, point, "{aligned:?}");
        }
    }
}

#[test]
fn a_hit_has_the_point_and_the_normal_of_its_face() {
    let cube = obb([10.0, 0.0, 0.0], turned(), [1.0, 2.0, 3.0]);
    let hit = |origin: [f32; 3], dir: [f32; 3]| cube.hit(&Ray::new(origin, dir)).unwrap();
    let below = hit([4.0, -8.0, 0.5], [0.6, 0.8, 0.0]);
    assert_eq!((below.t, below.normal), (9.0, [-0.6, -0.8, 0.0].into()));
    let off = below.point - Vec3::new(9.4, -0.8, 0.5);
    assert!(off.length() < 2e-6, "{off}"); // 0.6 and 0.8 are not exact
    assert_eq!(below.face, face(0, false));
    let above = hit([10.0, 0.0, 9.0], [0.0, 0.0, -3.0]);
    assert_eq!((above.t, above.point.z, above.normal), (2.0, 3.0, Vec3::Z));
    // From inside: at t = 0, against the direction.
    let dir = [0.0, 3.0 * 2f32.powi(120), 2f32.powi(122)];
    let inside = hit([10.0, 0.0, 1.0], dir);
    assert_eq!((inside.t, inside.face), (0.0, None));
    assert_eq!(inside.normal, [0.0, -0.6, -0.8].into());
    assert_eq!(inside.point, [10.0, 0.0, 1.0].into());
}

#[test]
fn scale_mirror_and_shear_keep_their_faces() {
    let towards = Ray::new([-10.0, 0.25, 0.25], [2.0, 0.0, 0.0]);
    let scaled = image(Mat4::from_scale(Vec3::new(4.0, 0.5, 1.0)));
    let hit = scaled.hit(&towards).unwrap();
    assert_eq!((hit.t, hit.normal), (3.0, -Vec3::X));
    assert_eq!(hit.face, face(0, false));

    // Mirrored, so that the ray comes from the upper end of the box's own axis.
    let mirrored = image(Mat4::from_scale(Vec3::new(-4.0, 0.5, 1.0)));
    let hit = mirrored.hit(&towards).unwrap();
    assert_eq!((hit.t, hit.normal), (3.0, -Vec3::X));
    assert_eq!(hit.face, face(0, true));
    assert_eq!(mirrored.normals()[0], -Vec3::X);
    assert_eq!(mirrored.corners()[0], [4.0, -0.5, -1.0].into());

    // x grows with y: the faces across x are slanted, with normals (1, -1, 0).
    let mut shear = Mat4::IDENTITY;
    shear.y_axis.x = 1.0;
    let sheared = image(shear);
    let hit = sheared.hit(&towards).unwrap();
    assert_eq!((hit.t, hit.point), (4.625, [-0.75, 0.25, 0.25].into()));
    assert_eq!(hit.normal, [-DIAGONAL_2, DIAGONAL_2, 0.0].into());
    assert_eq!(sheared.half_edges()[1], [1.0, 1.0, 0.0].into());
    let bounds = Aabb::try_new([-2.0, -1.0, -1.0], [2.0, 1.0, 1.0]);
    assert_eq!(sheared.bounds(), bounds.unwrap());
    assert!(sheared.contains([2.0, 1.0, 1.0]) && !sheared.contains([2.0, 0.99, 1.0]));
}

#[test]
fn corners_count_in_bits() {
    let model = five_times_turned(Vec4::new(7.0, -2.0, 1.0, 1.0));
    let world = image(model);
    for (place, corner) in world.corners().into_iter().enumerate() {
        let bit = |axis: usize| if place >> axis & 1 == 1 { 1.0 } else { -1.0 };
        let local = Vec3::new(bit(0), bit(1), bit(2));
        assert_eq!(corner, model.transform_point3(local), "corner {place}");
        assert!(world.contains(corner));
    }
    assert_eq!(world.center(), [7.0, -2.0, 1.0].into());
    assert_eq!(world.half_edges()[0], [3.0, 4.0, 0.0].into());
    assert_eq!(
        world.normals(),
        [[0.6, 0.8, 0.0], [-0.8, 0.6, 0.0], [0.0, 0.0, 1.0]].map(Vec3::from)
    );
    let by_axes = obb([7.0, -2.0, 1.0], turned(), [5.0; 3]);
    for (a, b) in by_axes.corners().into_iter().zip(world.corners()) {
        assert!((a - b).length() < 1e-6, "{a} {b}"); // 0.6 is not exact
    }
}

/// As the points of `aabb_woo.rs`: 2^-60 below the midpoint of two `f32`s.
#[test]
fn corners_are_rounded_once() {
    let q = 1.0 + 2f32.powi(-18);
    let step = 2f32.powi(-24) * (1.0 - 2f32.powi(-18));
    let mut model = Mat4::from_scale(Vec3::new(step, 1.0, 1.0));
    model.w_axis.x = 1.0f32.next_up();
    let local = Aabb::try_new([-q; 3], [q; 3]).unwrap();
    let corner = Obb::from_model(&local, &model).unwrap().corners()[7];
    assert_eq!(corner.x, 1.0f32.next_up());
}

/// The first hit found is not the answer when another box is in front.
#[test]
fn the_nearest_of_many() {
    let turn = Quat::from_rotation_z(0.3);
    let at = |x: f32| image(Mat4::from_rotation_translation(turn, Vec3::X * x));
    let ray = Ray::new([0.0; 3], [1.0, 0.0, 0.0]);
    let boxes = [at(50.0), at(-5.0), at(20.0), at(10.0), at(10.0), at(30.0)];
    let (place, hit) = Obb::nearest(&boxes, &ray).unwrap();
    assert_eq!((place, Some(hit)), (3, boxes[3].hit(&ray)));
    assert!(hit.t < boxes[0].hit(&ray).unwrap().t);
    // The same plane with other numbers has the same parameter: the lower index wins.
    let thick = |x: f32, half: f32| obb([x, 0.0, 0.0], XYZ, [half, 1.0, 1.0]);
    for (a, b) in [
        (thick(8.0, 2.0), thick(7.0, 1.0)),
        (thick(7.0, 1.0), thick(8.0, 2.0)),
    ] {
        assert_eq!(Obb::nearest(&[a, b], &ray).unwrap().0, 0);
    }
    // Nearer by less than an f32 of t can represent.
    let step = [thick(7.0, 1.0), thick(7.0, 1.0f32.next_up())];
    let far = Ray::new([-1e9, 0.0, 0.0], [1.0, 0.0, 0.0]);
    assert_eq!(step.map(|b| b.hit(&far).unwrap().t), [1e9; 2]);
    assert_eq!(Obb::nearest(&step, &far).unwrap().0, 1);
    // Of several boxes around the origin, the first wins.
    let inside = [thick(9.0, 1.0), thick(0.0, 1.0), thick(0.0, 2.0)];
    let (place, hit) = Obb::nearest(&inside, &ray).unwrap();
    assert_eq!((place, hit.t), (1, 0.0));
    assert_eq!(Obb::nearest(&[], &ray), None);
    for dir in [[0.0, 1.0, 0.0], [0.0; 3]] {
        assert_eq!(Obb::nearest(&boxes, &Ray::new([0.0; 3], dir)), None);
    }
}

#[test]
fn flat_boxes_lines_and_points_are_boxes() {
    let ray = |origin: [f32; 3], dir: [f32; 3]| Ray::new(origin, dir);
    // A sheet across (3, 4, 0) through the origin, with integer coordinates.
    let model = five_times_turned(Vec4::W);
    let flat = |min: [f32; 3], max: [f32; 3]| {
        Obb::from_model(&Aabb::try_new(min, max).unwrap(), &model).unwrap()
    };
    let sheet = flat([0.0, -1.0, -1.0], [0.0, 1.0, 1.0]);
    let hit = sheet.hit(&ray([-6.0, -8.0, 2.0], [3.0, 4.0, 0.0])).unwrap();
    assert_eq!((hit.t, hit.point), (2.0, [0.0, 0.0, 2.0].into()));
    assert_eq!(hit.normal, [-0.6, -0.8, 0.0].into());
    let back = sheet.hit(&ray([6.0, 8.0, 2.0], [-3.0, -4.0, 0.0])).unwrap();
    assert_eq!(back.normal, [0.6, 0.8, 0.0].into());
    let line = flat([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
    let point = flat([1.0; 3], [1.0; 3]);
    #[rustfmt::skip]
    let slabs = [
        // In the sheet, along its edge, and beside it by the least possible distance.
        (sheet, [-8.0, 6.0, 0.0], [4.0, -3.0, 0.0], slab(1.0, 3.0)),
        (sheet, [-8.0, 6.0, 5.0], [4.0, -3.0, 0.0], slab(1.0, 3.0)),
        (sheet, [-8.0f32.next_down(), 6.0, 0.0], [4.0, -3.0, 0.0], None),
        (line, [-6.0, -8.0, 0.0], [3.0, 4.0, 0.0], slab(1.0, 3.0)),
        (line, [1.5, 2.0, -3.0], [0.0, 0.0, 1.0], slab(3.0, 3.0)),
        (line, [1.5, 2.0f32.next_up(), -3.0], [0.0, 0.0, 1.0], None),
        (point, [0.0; 3], [-1.0, 7.0, 5.0], slab(1.0, 1.0)),
        (point, [0.0; 3], [-1.0, 7.0, 5.0f32.next_up()], None),
    ];
    for (flat, origin, dir, expected) in slabs {
        assert_eq!(flat.slab(&ray(origin, dir)), expected, "{origin:?} {dir:?}");
    }
    // Starting in the sheet and leaving it counts as inside.
    let from = sheet.hit(&ray([-2.0, 1.5, 0.0], [0.0, 0.0, 2.0])).unwrap();
    assert_eq!((from.t, from.face, from.normal), (0.0, None, -Vec3::Z));
    assert_eq!(point.corners(), [Vec3::new(-1.0, 7.0, 5.0); 8]);
    assert!(point.contains([-1.0, 7.0, 5.0]));
    // Zero half sizes are valid, and -0 equals zero.
    let none = obb([1.0, 2.0, 3.0], turned(), [0.0, -0.0, 0.0]);
    let bounds = Aabb::try_new([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]);
    assert_eq!(none.bounds(), bounds.unwrap());
}

#[test]
fn undefined_rays_and_points_miss() {
    let cube = obb([0.0; 3], turned(), [1.0; 3]);
    let nan = f32::NAN;
    for ray in [
        Ray::new([0.0; 3], [0.0, -0.0, 0.0]),
        Ray::new([0.0, nan, 0.0], [1.0, 0.0, 0.0]),
        Ray::new([0.0; 3], [1.0, INF, 0.0]),
        Ray::new([0.0; 3], [1.0, 0.0, 0.0]).with_interval(1.0, 0.0),
        Ray::new([0.0; 3], [1.0, 0.0, 0.0]).with_interval(nan, 1.0),
        Ray::new([0.0; 3], [1.0, 0.0, 0.0]).with_interval(INF, INF),
    ] {
        assert_eq!(cube.slab(&ray), None, "{ray:?}");
        assert_eq!(cube.hit(&ray), None, "{ray:?}");
        assert_eq!(cube.enter_solid(&ray), None);
        assert_eq!(cube.enter_surface(&ray), None);
        assert_eq!(Obb::nearest(&[cube], &ray), None);
    }
    for point in [[nan, 0.0, 0.0], [0.0, INF, 0.0], [0.0, 0.0, -INF]] {
        assert!(!cube.contains(point));
    }
}

/// Coordinates that overflow in products, and those whose products vanish.
#[test]
fn sizes_do_not_matter() {
    for size in [1e-42f32, 1e-30, 1.0, 1e30, 1e38] {
        let model = Mat4::from_scale(Vec3::splat(size));
        let cube = image(model);
        let ray = Ray::new([-3.0 * size, 0.5 * size, 0.0], [size, 0.0, 0.0]);
        let hit = cube.hit(&ray).unwrap();
        let ratio = |x: f32| (f64::from(x) / f64::from(size)).round() as f32; // 3e38 is 2.99..e38
        assert_eq!((ratio(hit.t * size), hit.normal), (2.0, -Vec3::X), "{size}");
        assert_eq!(hit.point.x, -size);
        assert_eq!(cube.center(), Vec3::ZERO);
        assert_eq!(cube.normals(), XYZ);
    }
    // A huge, an ordinary and a tiny axis: the determinant is 1.
    let tiny = 2f32.powi(-127);
    let uneven = image(Mat4::from_scale(Vec3::new(2f32.powi(127), 1.0, tiny)));
    let hit = uneven.hit(&Ray::new([1e37, 0.25, 1.0], [0.0, 0.0, -0.5]));
    let hit = hit.unwrap();
    assert_eq!((hit.t, hit.normal, hit.point.z), (2.0, Vec3::Z, tiny));
}
