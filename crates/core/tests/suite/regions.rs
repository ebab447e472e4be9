//! Regions: hostile input, what counts as touching, planes and frusta.

use estoc_core::glam::camera::rh;
use estoc_core::glam::{Mat4, Vec3};
use estoc_core::{
    Aabb, BoxPosition, BruteForce, Camera, CameraError, DepthRange, FieldOfView, Frustum,
    FrustumError, HalfSpace, Obb, Plane, RayQuery, Region, RegionQuery, Sphere, Triangle, Viewport,
};
use estoc_testkit::generate::{self, Rng};

fn ids(engine: &BruteForce, region: &dyn Region) -> Vec<u32> {
    let found = engine.overlaps(region);
    let found: Vec<u32> = found.iter().map(|prim| prim.get()).collect();
    assert_eq!(engine.any_overlap(region), !found.is_empty());
    found
}

fn offset(normal: [f32; 3], offset: f32) -> Plane {
    Plane::from_offset(normal, offset).unwrap()
}

/// All of space, as six planes far away.
fn everything() -> Frustum {
    let far = |axis: usize, sign: f32| {
        let mut normal = Vec3::ZERO;
        normal[axis] = sign;
        Plane::from_offset(normal, -f32::MAX).unwrap()
    };
    let planes = [0, 1, 2].map(|axis| [far(axis, 1.0), far(axis, -1.0)]);
    Frustum::try_new(planes.as_flattened()).unwrap()
}

#[test]
fn triangles_without_area_and_empty_regions_have_no_points() {
    let (nan, inf) = (f32::NAN, f32::INFINITY);
    let sheet = Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    let engine = BruteForce::new([
        Triangle::new([0.0; 3], [0.5, 0.5, 0.0], [1.0, 1.0, 0.0]),
        Triangle::new([0.0; 3], [0.0; 3], [1.0, 0.0, 0.0]),
        Triangle::new([nan, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]),
        Triangle::new([0.0; 3], [inf, 0.0, 0.0], [0.0, 1.0, 0.0]),
        sheet,
    ]);
    let all = Aabb::try_new([f32::MIN; 3], [f32::MAX; 3]).unwrap();
    let regions: [&dyn Region; 6] = [
        &all,
        &everything(),
        &Frustum::try_new(&[]).unwrap(),
        &HalfSpace(offset([1.0, 0.0, 0.0], -9.0)),
        &offset([0.0, 0.0, 1.0], 0.0),
        &Sphere::try_new([0.0; 3], f32::MAX).unwrap(),
    ];
    for region in regions {
        assert_eq!(ids(&engine, region), [4]);
    }
    let flat = Triangle::new([0.0; 3], [0.5, 0.5, 0.0], [1.0, 1.0, 0.0]);
    let no_number = Triangle::new([nan; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    let contradiction = [
        offset([1.0, 0.0, 0.0], 0.5),
        offset([-1.0, 0.0, 0.0], -0.25),
    ];
    let nothing: [&dyn Region; 4] = [
        &Aabb::EMPTY,
        &flat,
        &no_number,
        &Frustum::try_new(&contradiction).unwrap(),
    ];
    for region in nothing {
        assert!(ids(&engine, region).is_empty());
    }
    for region in regions.iter().chain(&nothing) {
        assert!(ids(&BruteForce::new([]), *region).is_empty());
    }
    // Regions that would have no meaning cannot be made.
    assert!(Sphere::try_new([0.0; 3], -1.0).is_err() && Sphere::try_new([0.0; 3], nan).is_err());
    assert!(Aabb::try_new([1.0; 3], [0.0; 3]).is_err());
    let seven = [offset([1.0, 0.0, 0.0], 0.0); 7];
    let error = Frustum::try_new(&seven).unwrap_err();
    assert_eq!(error, FrustumError::TooManyPlanes(7));
    let says = error.to_string();
    assert!(
        says.starts_with("a frustum has at most 6 planes, not 7"),
        "{says}"
    );
}

#[test]
fn what_touches_overlaps_and_the_next_number_does_not() {
    let sheet = Triangle::new([0.0, 0.0, 1.0], [4.0, 0.0, 1.0], [0.0, 4.0, 1.0]);
    let engine = BruteForce::new([sheet]);
    let low_corner = |min: [f32; 3]| Aabb::try_new(min, [3.0; 3]).unwrap();
    let ball = |radius: f32| Sphere::try_new([-3.0, 1.0, 5.0], radius).unwrap();
    let slope = |by: f32| HalfSpace(offset([1.0, 1.0, 0.0], by));
    let wall = |by: f32| offset([-1.0, 0.0, 0.0], by);
    let upright = |y: f32| Triangle::new([2.0, y, 0.0], [2.0, y, 2.0], [9.0, 9.0, 1.0]);
    let (one, two, four, five) = (
        1f32.next_up(),
        2f32.next_up(),
        4f32.next_up(),
        5f32.next_down(),
    );
    let touching: [[&dyn Region; 2]; 6] = [
        [&low_corner([2.0, 2.0, 1.0]), &low_corner([2.0, 2.0, one])],
        [&low_corner([2.0, 2.0, 0.0]), &low_corner([2.0, two, 0.0])],
        [&ball(5.0), &ball(five)],
        [&slope(4.0), &slope(four)],
        [&wall(0.0), &wall(f32::from_bits(1))],
        [&upright(2.0), &upright(two)],
    ];
    for (place, [touches, misses]) in touching.into_iter().enumerate() {
        assert_eq!(ids(&engine, touches), [0], "{place}");
        assert!(ids(&engine, misses).is_empty(), "{place}");
    }
    // A sheared box: the image of the unit cube has the corner (2, 2, 1).
    let sheared = Mat4::from_cols_array_2d(&[
        [1.0, 0.0, 0.0, 0.0],
        [1.0, 2.0, 0.0, 0.0],
        [0.0, 0.0, 1.0, 0.0],
        [2.0, 2.0, 1.0, 1.0],
    ]);
    let unit = Aabb::try_new([0.0; 3], [1.0; 3]).unwrap();
    let in_image = |model| ids(&engine, &Obb::from_model(&unit, &model).unwrap());
    assert_eq!(in_image(sheared), [0]);
    let mut raised = sheared;
    raised.w_axis.y = two;
    assert!(in_image(raised).is_empty());
}

/// Planes with coefficients `a, b, c, d`: triangles with a vertex, an edge or all of them on the
/// plane.
#[test]
fn planes_through_vertices_edges_and_faces_touch() {
    let at = |z: [f32; 3]| Triangle::new([0.0, 0.0, z[0]], [1.0, 0.0, z[1]], [0.0, 1.0, z[2]]);
    let engine = BruteForce::new([
        at([0.0, 0.0, 0.0]),
        at([0.0, 0.0, 1.0]),
        at([0.0, -1.0, -1.0]),
        at([1.0, 1.0, 2.0]),
        at([-1.0, 1.0, 2.0]),
        at([-1.0, -1.0, -2.0]),
    ]);
    let plane = offset([0.0, 0.0, 3.0], -0.0);
    assert_eq!(ids(&engine, &plane), [0, 1, 2, 4]);
    assert_eq!(ids(&engine, &plane.flipped()), [0, 1, 2, 4]);
    assert_eq!(ids(&engine, &HalfSpace(plane)), [0, 1, 2, 3, 4]);
    assert_eq!(ids(&engine, &HalfSpace(plane.flipped())), [0, 1, 2, 4, 5]);
    let same = Plane::through([7.0, 7.0, 0.0], [0.0, 0.0, -1.0]).unwrap();
    assert_eq!(ids(&engine, &same), [0, 1, 2, 4]);
}

/// Edges of a polyhedron in front of a face without any corner near, and planes that exclude a
/// triangle only together.
#[test]
fn triangles_across_the_corner_of_a_frustum_are_decided_together() {
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let corner = axes.map(|axis| offset(axis, 0.0));
    let frustum = Frustum::try_new(&corner).unwrap();
    let around = |sum: f32| {
        let far = |axis: usize| {
            let mut p = Vec3::splat(-30.0);
            p[axis] = sum + 60.0;
            p
        };
        Triangle::new(far(0), far(1), far(2))
    };
    let engine = BruteForce::new([
        around(1.0),
        around(0.0), // touches the corner
        around(-f32::MIN_POSITIVE),
        around(-1e-5),
    ]);
    // In f32, sum + 60 is rounded: only the last one differs from 60.
    assert_eq!(ids(&engine, &frustum), [0, 1, 2]);
    assert!(frustum.contains([0.0; 3]) && !frustum.contains([0.0, -f32::MIN_POSITIVE, 1.0]));
    assert!(!frustum.contains([f32::NAN, 1.0, 1.0]));
    assert_eq!(frustum.planes().len(), 3);
}

#[test]
fn rectangles_of_a_picture_select_what_their_rays_hit() {
    let mut rng = Rng::named(1, "rectangles");
    let projections = [
        rh::proj::directx::perspective(0.9, 4.0 / 3.0, 0.1, 100.0),
        rh::proj::directx::orthographic(-3.0, 4.0, -2.0, 3.0, -50.0, 50.0),
    ];
    let (mut inside, mut beside) = (0, 0);
    for round in 0..200 {
        let eye = rng.point() * 5.0 + Vec3::splat(0.01);
        let view = rh::view::look_at_mat4(eye, rng.point(), Vec3::new(0.1, 1.0, 0.2));
        let viewport = Viewport::new(640.0, 480.0).at(10.0, 20.0);
        let projection = projections[round % 2];
        let camera = Camera::try_new(viewport, projection, view, DepthRange::ZeroToOne).unwrap();
        let camera = match round % 5 {
            0 => Camera::look_at_orthographic(viewport, eye, eye - rng.point(), Vec3::Y, 4.0)
                .unwrap(),
            _ => camera,
        };
        let camera = match round % 4 {
            0 | 1 => camera,
            _ => camera.from_depth(0.5).unwrap(),
        };
        let mut within = |low: f32, size: f32| low + size * rng.signed().abs();
        let (x, y) = (within(10.0, 600.0), within(20.0, 400.0));
        let rectangle = Viewport::new(within(2.0, 30.0), within(2.0, 30.0));
        let frustum = camera.frustum(rectangle.at(x, y)).unwrap();
        for _ in 0..20 {
            // A small triangle where a ray is at some depth.
            let pixel = [
                x + rectangle.width * (0.5 + 1.5 * rng.signed()),
                y + rectangle.height * (0.5 + 1.5 * rng.signed()),
            ];
            let margin = |at: f32, from: f32, size: f32| ((at - from) / size - 0.5).abs() - 0.5;
            let margin =
                margin(pixel[0], x, rectangle.width).max(margin(pixel[1], y, rectangle.height));
            if margin.abs() < 0.05 {
                continue;
            }
            let ray = camera.ray(pixel);
            let at = ray.origin + ray.dir * (1.0 + 3.0 * rng.signed().abs());
            let size = 1e-4;
            let triangle = Triangle::new(
                at + Vec3::new(size, 0.0, 0.0),
                at + Vec3::new(0.0, size, 0.0),
                at + Vec3::new(0.0, 0.0, size),
            );
            let engine = BruteForce::new([triangle]);
            let is_inside = margin < 0.0;
            let overlaps = engine.any_overlap(&frustum);
            assert_eq!(overlaps, is_inside, "{round}: {pixel:?}");
            assert!(!is_inside || frustum.contains(at));
            // Behind where rays start.
            let behind = ray.origin - ray.dir;
            assert!(!frustum.contains(behind), "{round}");
            inside += usize::from(is_inside);
            beside += usize::from(!is_inside);
        }
    }
    assert!(inside > 300 && beside > 300, "{inside} {beside}");
}

#[test]
fn rectangles_without_area_show_nothing() {
    let (viewport, fov) = (
        Viewport::new(640.0, 480.0),
        FieldOfView::vertical_degrees(60.0),
    );
    let camera = Camera::look_at(viewport, [0.0, 0.0, 5.0], [0.0; 3], [0.0, 1.0, 0.0], fov);
    let camera = camera.unwrap();
    for rectangle in [
        Viewport::new(0.0, 4.0),
        Viewport::new(4.0, -4.0),
        Viewport::new(4.0, f32::NAN),
        Viewport::new(4.0, 4.0).at(f32::INFINITY, 0.0),
    ] {
        let error = camera.frustum(rectangle).unwrap_err();
        assert!(matches!(error, CameraError::Rectangle(_)), "{error}");
        assert!(error.to_string().contains("shows nothing"), "{error}");
    }
    // The whole picture shows what any ray of it hits.
    let sheet = Triangle::new([-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]);
    let engine = BruteForce::new([sheet]);
    assert!(engine.any_hit(&camera.ray([320.0, 240.0])));
    assert!(engine.any_overlap(&camera.frustum(camera.viewport()).unwrap()));
}

/// Boxes that are certainly outside have no triangle that overlaps, and those that are certainly inside
/// only such.
#[test]
fn boxes_are_placed_with_certainty() {
    let mut rng = Rng::named(3, "boxes");
    let mut counts = [0; 3];
    for scene in generate::scenes(7) {
        let whole = scene
            .triangles
            .iter()
            .filter(|triangle| !triangle.is_degenerate());
        let triangles: Vec<Triangle> = whole.take(24).copied().collect();
        for case in generate::regions(&scene, &mut rng, 24) {
            let region = case.region().unwrap();
            for triangle in &triangles {
                let bounds = Aabb::of_triangle(triangle);
                let (min, max) = (bounds.min().as_dvec3(), bounds.max().as_dvec3());
                let overlaps = region.has_point_in(triangle.corners().map(Vec3::as_dvec3));
                match region.place_box(min, max) {
                    BoxPosition::Outside => assert!(!overlaps, "{case:?} {triangle:?}"),
                    BoxPosition::Inside => assert!(overlaps, "{case:?} {triangle:?}"),
                    BoxPosition::Crossing => counts[2] += 1,
                }
                counts[usize::from(overlaps)] += 1;
                let around = region.bounds();
                let is_beside =
                    around.is_some_and(|[low, high]| low.cmpgt(max).any() || high.cmplt(min).any());
                assert!(!(is_beside && overlaps), "{case:?} {triangle:?}");
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 2000), "{counts:?}");
}
