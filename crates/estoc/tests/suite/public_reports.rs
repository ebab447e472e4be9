//! What users of other libraries reported as wrong, asked here, with the right answers. Each test
//! names the report; the inputs are made here, after its description.

use estoc::demo::SplitMix64;
use estoc::glam::Vec3;
use estoc::query::{SectionLoop, SignRule};
use estoc::{Bvh, Mesh, Plane, PointQuery, Ray, RayQuery, RegionQuery};

/// The twelve triangles of a box, facing outwards.
fn box_triangles(min: [f32; 3], max: [f32; 3]) -> Vec<[Vec3; 3]> {
    let corner = |bits: usize| {
        let axis = |a: usize| if bits >> a & 1 == 0 { min[a] } else { max[a] };
        Vec3::new(axis(0), axis(1), axis(2))
    };
    let quads = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    let halves = |[a, b, c, d]: [usize; 4]| [[a, b, c], [a, c, d]];
    quads
        .into_iter()
        .flat_map(halves)
        .map(|t| t.map(corner))
        .collect()
}

fn tree(triangles: &[[Vec3; 3]]) -> Bvh {
    let faces = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    let corners = triangles.iter().flatten().map(Vec3::to_array);
    let mesh = Mesh::try_new(corners.collect::<Vec<_>>(), faces.collect::<Vec<_>>());
    Bvh::build(&mesh.expect("finite corners"))
}

pub(crate) fn boxes(boxes: &[([f32; 3], [f32; 3])]) -> Bvh {
    let triangles: Vec<_> = boxes
        .iter()
        .flat_map(|&(min, max)| box_triangles(min, max))
        .collect();
    tree(&triangles)
}

/// <https://github.com/pyvista/pyvista/issues/4842>: one of two intersections was lost.
#[test]
fn a_segment_enters_and_leaves_a_box() {
    let prism = boxes(&[([0.0; 3], [10.0, 10.0, 6.0])]);
    let segment = Ray::new([5.0, 2.0, -10.0], [0.0, 0.0, 20.0]).with_interval(0.0, 1.0);
    let ts: Vec<f32> = prism.all_hits(&segment).iter().map(|hit| hit.t).collect();
    assert_eq!(ts, [0.5, 0.8]);
    assert_eq!(prism.count_crossings(&segment), 2);
}

/// <https://github.com/pyvista/pyvista/issues/5372>: no hit where the point hit is the origin, which
/// lies on the diagonal of the square, too.
#[test]
fn the_origin_of_coordinates_is_a_place_like_others() {
    let [a, b, c, d] =
        [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)].map(|(x, y)| Vec3::new(x, y, 0.0));
    let square = tree(&[[a, b, c], [a, c, d]]);
    let ray = Ray::new([0.0, 0.0, 1.0], [0.0, 0.0, -2.0]).with_interval(0.0, 1.0);
    let hit = square.closest_hit(&ray).expect("a hit on the diagonal");
    assert_eq!((hit.prim.get(), hit.t), (0, 0.5));
    assert_eq!(square.count_crossings(&ray), 1);
}

/// <https://github.com/libigl/libigl/issues/1204>: NaN for a point on the mesh.
#[test]
fn signed_distances_on_and_next_to_a_face() {
    let cube = boxes(&[([0.0; 3], [1.0; 3])]);
    for (x, signed, inside) in [(1e-6, -1e-6, true), (-1e-6, 1e-6, false), (0.0, 0.0, true)] {
        let answer = cube.signed_distance([x, 0.5, 0.5]).expect("a closed cube");
        let answer = answer.expect("a closest point");
        assert_eq!((answer.signed, answer.inside), (signed, inside), "x = {x}");
        assert_eq!(cube.contains([x, 0.5, 0.5]), Some(inside), "x = {x}");
    }
}

/// <https://github.com/NVlabs/curobo/issues/475>: distances inside of overlapping objects.
#[test]
fn what_overlapping_shells_share_is_inside_by_winding_numbers() {
    let pair = boxes(&[
        ([0.0; 3], [4.0, 4.0, 4.0]),
        ([2.0, 0.0, 0.0], [6.0, 4.0, 4.0]),
    ]);
    let signed = |x: f32, rule| {
        let answer = pair.signed_distance_by([x, 2.0, 2.0], rule);
        answer
            .expect("closed and oriented")
            .expect("a point")
            .signed
    };
    // In the first, in both, in the second, outside.
    for (x, parity, winding) in [
        (1.0, -1.0, -1.0),
        (3.0, 1.0, -1.0),
        (5.5, -0.5, -0.5),
        (7.0, 1.0, 1.0),
    ] {
        assert_eq!(signed(x, SignRule::Parity), parity, "x = {x}");
        assert_eq!(signed(x, SignRule::WindingNumber), winding, "x = {x}");
    }
}

/// <https://github.com/dimforge/parry/issues/76>: a distance of 0 from a triangle without area that
/// is far away. Such a triangle has no points, so the answer is that of the others.
#[test]
fn a_triangle_without_area_is_near_nothing() {
    let end = Vec3::new(-0.57, -8.1, 16.607);
    let flat = [Vec3::new(2.277, -7.9, 16.318), end, end];
    let point = [1.1, -7.9, 16.588];
    assert_eq!(tree(&[flat]).closest_point(point), None);

    let far = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Vec3::from);
    let both = tree(&[flat, far]);
    let nearest = both.closest_point(point).expect("the other triangle");
    assert_eq!(nearest.prim.get(), 1);
    let alone = tree(&[far]).closest_point(point).expect("a triangle");
    assert_eq!(nearest.distance.to_bits(), alone.distance.to_bits());
}

/// <https://github.com/3dgeo-heidelberg/helios/issues/468>: a laser scanner missed twigs. Rays
/// through triangles of a fraction of a millimetre at up to 80 m hit them.
#[test]
fn tiny_targets_far_away_are_hit() {
    let mut random = SplitMix64::new(468);
    let mut uniform = move |low: f64, high: f64| random.between(low, high) as f32;
    let scanner = Vec3::new(0.0, 0.0, 1.7);
    let mut targets = Vec::new();
    while targets.len() < 500 {
        let at = Vec3::new(
            uniform(-55.0, 55.0),
            uniform(-55.0, 55.0),
            uniform(5.0, 25.0),
        );
        let mut corner = || at + Vec3::from_array([(); 3].map(|()| uniform(-2e-4, 2e-4)));
        let target = [corner(), corner(), corner()];
        // Seen at a steep enough angle, and large enough for directions of `f32`.
        let [a, b, c] = target;
        let facing = (b - a).cross(c - a).dot((at - scanner).normalize()).abs();
        if facing > 4e-8 {
            targets.push(target);
        }
    }
    let twigs = tree(&targets);
    let mut hit_first = 0;
    for (i, &[a, b, c]) in targets.iter().enumerate() {
        let ray = Ray::new(scanner, (a + b + c) / 3.0 - scanner);
        let hits = twigs.all_hits(&ray);
        assert!(hits.iter().any(|hit| hit.prim.index() == i), "target {i}");
        hit_first += usize::from(hits[0].prim.index() == i);
    }
    assert!(hit_first > 490, "{hit_first}");
}

/// <https://github.com/isaac-sim/IsaacLab/issues/3013>: a scanner that turns in a plane measured
/// walls where there were none. Distances along the axes and to corners of the grid are known.
#[test]
fn a_plane_scan_of_a_room_measures_its_walls() {
    let room = boxes(&[
        ([-6.0, -6.0, 0.0], [6.0, 6.0, 3.0]),
        ([1.0, 1.0, 0.0], [2.0, 2.0, 1.0]),
        ([-3.0, 0.0, 0.0], [-2.0, 4.0, 2.0]),
    ]);
    for (dir, t) in [
        ([1.0, 0.0], 6.0),
        ([0.0, 1.0], 6.0),
        ([0.0, -1.0], 6.0),
        ([-1.0, 0.0], 2.0), // in the plane of an end face of a box
        ([1.0, 1.0], 1.0),  // an edge of a box
        ([1.0, -1.0], 6.0), // an edge of the room
        ([-1.0, 2.0], 2.0), // the edge at the far end of a box's face
        ([2.0, 1.0], 1.0),  // past an edge, at another one
        ([3.0, 1.0], 2.0),  // past the first box
    ] {
        let ray = Ray::new([0.0, 0.0, 0.5], [dir[0], dir[1], 0.0]);
        let measured = room.closest_hit(&ray).map(|hit| hit.t);
        assert_eq!(measured, Some(t), "direction {dir:?}");
    }
}

/// <https://github.com/svenstaro/bvh/issues/107>: boxes without thickness. A flat mesh is hit from
/// above wherever a triangle lies, by the lowest number of those that do.
#[test]
fn a_mesh_in_one_plane_is_hit() {
    let mut random = SplitMix64::new(107);
    let mut place = move || {
        let mut coordinate = || random.below(64) as f32;
        Vec3::new(coordinate(), coordinate(), 0.0)
    };
    let triangles: Vec<[Vec3; 3]> = (0..200).map(|_| [place(), place(), place()]).collect();
    let flat = tree(&triangles);
    let mut hits = 0;
    for _ in 0..500 {
        let point = place();
        // Coordinates are small whole numbers, so that these products are exact.
        let first = triangles.iter().position(|&[a, b, c]| {
            let turn = |p: Vec3, q: Vec3| (q - p).cross(point - p).z;
            let sides = [turn(a, b), turn(b, c), turn(c, a)];
            (b - a).cross(c - a).z != 0.0
                && (sides.iter().all(|&s| s >= 0.0) || sides.iter().all(|&s| s <= 0.0))
        });
        let ray = Ray::new(point + Vec3::Z, -Vec3::Z);
        let hit = flat.closest_hit(&ray);
        assert_eq!(hit.map(|hit| hit.prim.index()), first, "at {point}");
        assert!(hit.is_none_or(|hit| hit.t == 1.0));
        hits += usize::from(hit.is_some());
    }
    assert!(hits > 200 && hits < 501, "{hits}");
}

/// <https://github.com/mikedh/trimesh/issues/2077> and 2214: the area of a section with holes, at many
/// heights at once.
#[test]
fn sections_of_a_square_tube_have_the_area_of_its_wall() {
    // Four walls around a hole of 6 by 6, which touch along their edges, as one surface.
    let corner = |i: usize, size: f32, z: f32| {
        let [x, y] = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]][i % 4];
        Vec3::new(x * size, y * size, z)
    };
    let quads = (0..4).flat_map(|i| {
        let at = |size, z| [corner(i, size, z), corner(i + 1, size, z)];
        let [a, b] = [at(5.0, -5.0), at(5.0, 5.0)];
        let [c, d] = [at(3.0, -5.0), at(3.0, 5.0)];
        [
            [a[0], a[1], b[1], b[0]],
            [c[1], c[0], d[0], d[1]],
            [a[1], a[0], c[0], c[1]],
            [b[0], b[1], d[1], d[0]],
        ]
    });
    let triangles: Vec<[Vec3; 3]> = quads
        .flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]])
        .collect();
    let tube = tree(&triangles);
    let heights = [-4.9, -1.0 / 3.0, 0.0, 1.5, 4.999];
    let planes = heights.map(|z| Plane::from_offset([0.0, 0.0, 1.0], z).unwrap());
    for section in planes.map(|plane| tube.section(&plane)) {
        let area = section.area().expect("closed");
        assert!((area - 64.0).abs() < 1e-9, "{area} {:?}", section.plane);
        let loops = section.loops();
        let holes: Vec<bool> = loops.iter().map(SectionLoop::is_hole).collect();
        assert_eq!(holes, [false, true]);
        assert!((loops[0].area - 100.0).abs() < 1e-9 && (loops[1].area + 36.0).abs() < 1e-9);
    }
}
