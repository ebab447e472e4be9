//! Signed distances and winding numbers of surfaces whose answers are known.

use crate::common::solid_box;
use estoc_core::glam::Vec3;
use estoc_core::{
    BruteForce, PointQuery, RayQuery, SignRule, SignedDistance, SurfaceError, Triangle, Winding,
};
use estoc_testkit::conformance::Effort;
use estoc_testkit::generate::Rng;
use estoc_testkit::oracle::Oracle;

type Corners = [[f32; 3]; 3];

const RULES: [SignRule; 3] = [
    SignRule::Parity,
    SignRule::WindingNumber,
    SignRule::WindingEstimate,
];

fn turned(triangles: Vec<Triangle>) -> Vec<Triangle> {
    let turn = |t: Triangle| Triangle::new(t.p0, t.p2, t.p1);
    triangles.into_iter().map(turn).collect()
}

fn engine(shells: impl IntoIterator<Item = Vec<Triangle>>) -> BruteForce {
    BruteForce::new(shells.into_iter().flatten().collect::<Vec<_>>())
}

fn signed(engine: &BruteForce, point: [f32; 3], rule: SignRule) -> f32 {
    let found = engine.signed_distance_by(point, rule).unwrap().unwrap();
    assert_eq!(found.rule, rule);
    assert_eq!(found.signed < 0.0, found.inside && found.signed != 0.0);
    assert_eq!(found.signed.abs(), engine.distance(point).unwrap());
    found.signed
}

fn number(engine: &BruteForce, point: [f32; 3]) -> i64 {
    let number = engine.winding_number(point).unwrap().number().unwrap();
    let estimate = engine.winding_estimate(point);
    let off = (estimate.value - number as f64).abs();
    assert!(off <= estimate.error, "{estimate:?}");
    assert!(estimate.error < 1e-9, "{estimate:?}");
    assert!(estimate.is_certain() && estimate.is_inside() == (number > 0));
    assert_eq!(engine.contains(point), Some(number % 2 != 0));
    number
}

/// Asserts that each rule gives a point the distance 0, which is positive, and its side.
fn assert_zero(solid: &BruteForce, point: [f32; 3], inside: bool) {
    for rule in RULES {
        let found = solid.signed_distance_by(point, rule).unwrap().unwrap();
        let found = (found.signed.to_bits(), found.inside);
        assert_eq!(found, (0, inside), "{point:?} {rule}");
    }
}

#[test]
fn overlapping_shells_add_up_and_confuse_parity() {
    let two = engine([solid_box([0.0; 3], [4.0; 3]), solid_box([2.0; 3], [6.0; 3])]);
    let (both, one, none) = ([3.0; 3], [1.0; 3], [7.0; 3]);
    assert_eq!([both, one, none].map(|p| number(&two, p)), [2, 1, 0]);
    assert_eq!(
        RULES.map(|rule| signed(&two, both, rule)),
        [1.0, -1.0, -1.0]
    );
    assert_eq!(RULES.map(|rule| signed(&two, one, rule)), [-1.0; 3]);
    assert_eq!(RULES.map(|rule| signed(&two, none, rule)), [3f32.sqrt(); 3]);
    let by_parity = two.signed_distance_by(one, SignRule::Parity);
    assert_eq!(two.signed_distance(one), by_parity);
}

#[test]
fn nested_and_inward_shells_have_their_numbers() {
    let outer = || solid_box([0.0; 3], [8.0; 3]);
    let inner = || solid_box([2.0; 3], [6.0; 3]);
    let hollow = engine([outer(), turned(inner())]);
    assert_eq!([[1.0; 3], [4.0; 3]].map(|p| number(&hollow, p)), [1, 0]);
    assert_eq!(signed(&hollow, [4.0; 3], SignRule::WindingNumber), 2.0);
    let nested = engine([outer(), inner()]);
    assert_eq!([[1.0; 3], [4.0; 3]].map(|p| number(&nested, p)), [1, 2]);
    let inward = engine([turned(outer())]);
    assert_eq!([[1.0; 3], [9.0; 3]].map(|p| number(&inward, p)), [-1, 0]);
    assert_eq!(signed(&inward, [1.0; 3], SignRule::Parity), -1.0);
    assert_eq!(signed(&inward, [1.0; 3], SignRule::WindingNumber), 1.0);
    let thrice = engine([outer(), outer(), outer(), turned(inner())]);
    assert_eq!(number(&thrice, [4.0; 3]), 2);
}

#[test]
fn points_on_faces_edges_and_corners_are_on_the_surface() {
    let solid = engine([solid_box([0.0; 3], [4.0; 3])]);
    let on = [
        [1.0, 2.0, 0.0],
        [4.0, 1.0, 1.0],
        [2.0, 2.0, 0.0],
        [0.0, 0.0, 3.0],
        [4.0; 3],
    ];
    for point in on {
        assert_eq!(solid.winding_number(point), Ok(Winding::OnSurface));
        assert_zero(&solid, point, true);
    }
    // In the middle of a face, the estimate is halfway.
    let face = solid.winding_estimate([1.0, 2.0, 0.0]);
    assert!((face.value - 0.5).abs() <= face.error, "{face:?}");
    assert!(face.error < 1e-9, "{face:?}");
    // The next numbers on both sides.
    for (x, want) in [(4f32.next_down(), 1), (4f32.next_up(), 0)] {
        let point = [x, 1.0, 1.0];
        assert_eq!(solid.winding_number(point), Ok(Winding::Number(want)));
        let found = solid.signed_distance(point).unwrap().unwrap();
        assert_eq!((found.signed, found.inside), (x - 4.0, want == 1));
        let estimate = solid.winding_estimate(point);
        assert!(estimate.is_certain() && estimate.is_inside() == (want == 1));
    }
}

/// In units of the least number, a third of a unit from a face on either side.
#[test]
fn a_distance_that_rounds_to_zero_is_positive_and_inside_tells_the_side() {
    let unit = |x: u32| f32::from_bits(x);
    let [a, b, c, d] = [[0, 0, 0], [12, 0, 0], [0, 6, 0], [0, 0, 6]].map(|p| p.map(unit));
    let faces = [[a, c, b], [a, b, d], [b, c, d], [a, d, c]];
    let solid = BruteForce::new(faces.map(|[a, b, c]: Corners| Triangle::new(a, b, c)));
    for (point, inside) in [([1, 2, 3], true), ([3, 2, 3], false)] {
        let point = point.map(unit);
        assert_zero(&solid, point, inside);
        let number = i64::from(inside);
        assert_eq!(solid.winding_number(point), Ok(Winding::Number(number)));
    }
}

/// Returns a strip of quads around the z axis that turns by half a circle `half_turns` times.
fn strip(half_turns: u32) -> Vec<Triangle> {
    const STEPS: u32 = 12;
    let rung = |step: u32| {
        let turn = std::f64::consts::TAU * f64::from(step % STEPS) / f64::from(STEPS);
        // The last rung is the first one, turned around for an odd number of half turns.
        let around = step == STEPS && half_turns % 2 == 1;
        let tilt = turn * f64::from(half_turns) / 2.0;
        let end = |side: f64| {
            let side = if around { -side } else { side };
            let radius = 3.0 + side * tilt.cos();
            [radius * turn.cos(), radius * turn.sin(), side * tilt.sin()].map(|x| x as f32)
        };
        [end(-1.0), end(1.0)]
    };
    let quads = (0..STEPS).flat_map(|step| {
        let ([a, b], [d, c]) = (rung(step), rung(step + 1));
        [Triangle::new(a, b, c), Triangle::new(a, c, d)]
    });
    quads.collect()
}

#[test]
fn open_and_one_sided_surfaces_name_the_first_edge() {
    for half_turns in [0, 1, 2] {
        let strip = engine([strip(half_turns)]);
        let surface = strip.surface();
        assert!(!surface.is_closed() && !surface.is_oriented());
        assert_eq!(surface.open_edges, 24);
        // Around a Moebius strip, the sides do not match in one place.
        assert_eq!(surface.unpaired_edges, 24 + (half_turns as usize % 2));
        let edge = surface.first_open.unwrap();
        assert_eq!(edge.forward + edge.backward, 1);
        let open = SurfaceError::Open { edge };
        assert_eq!(strip.signed_distance([0.0; 3]), Err(open));
        assert_eq!(strip.winding_number([0.0; 3]), Err(open));
        // The error comes before what the point is.
        assert_eq!(strip.signed_distance([f32::NAN; 3]), Err(open));
        assert_eq!(strip.contains([0.0; 3]), None);
        let found = strip.signed_distance_by([0.0; 3], SignRule::WindingEstimate);
        let found = found.unwrap().unwrap();
        assert_eq!(found.signed, strip.distance([0.0; 3]).unwrap());
    }
    let mut triangles = solid_box([0.0; 3], [4.0; 3]);
    triangles[3] = turned(vec![triangles[3]])[0];
    let solid = BruteForce::new(triangles);
    let edge = solid.surface().first_unpaired.unwrap();
    assert_eq!(edge.forward.abs_diff(edge.backward), 2);
    let unpaired = SurfaceError::Unpaired { edge };
    assert_eq!(solid.winding_number([1.0; 3]), Err(unpaired));
    assert_eq!(signed(&solid, [1.0; 3], SignRule::Parity), -1.0);
}

#[test]
fn points_that_are_not_finite_and_meshes_without_area_have_no_distance() {
    let solid = engine([solid_box([0.0; 3], [4.0; 3])]);
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let point = [1.0, bad, 1.0];
        for rule in RULES {
            assert_eq!(solid.signed_distance_by(point, rule), Ok(None));
        }
        assert_eq!(solid.winding_number(point), Ok(Winding::Number(0)));
        let estimate = solid.winding_estimate(point);
        assert_eq!((estimate.value, estimate.error), (0.0, 0.0));
    }
    let needle = Triangle::new([0.0; 3], [1.0; 3], [2.0; 3]);
    // A needle and its other side: closed and oriented, but without area.
    let back = Triangle::new(needle.p0, needle.p2, needle.p1);
    for flat in [vec![], vec![needle, back]] {
        let flat = BruteForce::new(flat);
        assert!(flat.is_closed() && flat.surface().is_oriented());
        assert_eq!(flat.signed_distance([1.0; 3]), Ok(None));
        assert_eq!(flat.winding_number([1.0; 3]), Ok(Winding::Number(0)));
        assert_eq!(flat.winding_estimate([1.0; 3]).value, 0.0);
    }
    assert!(BruteForce::new([needle]).signed_distance([1.0; 3]).is_err());
}

/// An edge of one face is bridged by a triangle without area to two edges of its neighbours.
#[test]
fn triangles_without_area_close_a_surface() {
    let [a, b, c, d] = [[0.0; 3], [8.0, 0.0, 0.0], [0.0, 8.0, 0.0], [0.0, 0.0, 8.0]];
    let m = [4.0, 0.0, 0.0];
    let faces = [
        [a, c, b],
        [a, m, d],
        [m, b, d],
        [b, c, d],
        [a, d, c],
        [a, b, m],
    ];
    let solid = BruteForce::new(faces.map(|[a, b, c]| Triangle::new(a, b, c)));
    assert!(solid.surface().is_oriented());
    assert_eq!(number(&solid, [1.0; 3]), 1);
    assert_eq!(number(&solid, [4.0, -1.0, 0.0]), 0);
    // The crossed ray passes through the bridge.
    let before = solid.winding_number([-1.0, 0.0, 0.0]);
    assert_eq!(before, Ok(Winding::Number(0)));
    let inside = solid.winding_number([2.0, 0.0, 0.0]);
    assert_eq!(inside, Ok(Winding::OnSurface));
}

/// Around points at every distance from faces, edges and corners of tetrahedra, also flat ones, the
/// exact winding number lies within the bound of the estimate.
#[test]
fn a_search_finds_no_estimate_beyond_its_bound() {
    let rounds = if Effort::is_long() { 300_000 } else { 3_000 };
    let mut rng = Rng::new(11);
    let (mut worst, mut certain, mut asked) = (0.0f64, 0, 0);
    for round in 0..rounds {
        let size = [1.0, 1e-20, 1e20, 1.0][round % 4];
        let mut corners = [(); 4].map(|()| rng.point());
        if round % 3 == 0 {
            // Nearly flat.
            corners[3] = corners[0] + (corners[1] - corners[2]) * 0.3 + rng.point() * 1e-6;
        }
        let [a, b, c, d] = corners.map(|p| p * size);
        let faces = [[a, c, b], [a, b, d], [b, c, d], [a, d, c]];
        let triangles = faces.map(|[a, b, c]| Triangle::new(a, b, c)).to_vec();
        let oracle = Oracle::new(triangles.clone());
        let engine = BruteForce::new(triangles);
        let (s, t) = (rng.point().x.abs(), rng.point().y.abs());
        let from = [a, a + (b - a) * s, a + ((b - a) * s + (c - a) * t) * 0.5][round / 4 % 3];
        let away = 10f32.powi(-(rng.below(9) as i32));
        let point: Vec3 = from + rng.point() * size * away;
        if oracle.is_on_surface(point) {
            continue;
        }
        let truth = oracle.winding_number(point) as f64;
        let found = engine.winding_estimate(point);
        let off = (found.value - truth).abs();
        assert!(off <= found.error, "{found:?} {truth} {corners:?} {point}");
        worst = worst.max(off / found.error);
        certain += usize::from(found.is_certain());
        asked += 1;
    }
    println!("{certain} of {asked} certain, worst error in shares of the bound: {worst:.3}");
    assert!(
        certain * 10 > asked * 9 && worst > 0.005,
        "{certain} {asked} {worst}"
    );
}

#[test]
fn an_answer_is_eight_bytes() {
    assert_eq!(size_of::<Option<SignedDistance>>(), 8);
}

#[test]
fn each_rule_has_its_inside() {
    let by = |engine: &BruteForce, point: [f32; 3]| {
        RULES.map(|rule| engine.contains_by(point, rule).ok())
    };
    let two = engine([solid_box([0.0; 3], [4.0; 3]), solid_box([2.0; 3], [6.0; 3])]);
    assert_eq!(by(&two, [3.0; 3]), [Some(false), Some(true), Some(true)]);
    assert_eq!(by(&two, [1.0; 3]), [Some(true); 3]);
    assert_eq!(by(&two, [7.0; 3]), [Some(false); 3]);
    // On a corner and in a face, and not finite.
    assert_eq!(by(&two, [0.0; 3]), [Some(true); 3]);
    assert_eq!(by(&two, [2.0, 3.0, 4.0]), [Some(true); 3]);
    assert_eq!(by(&two, [f32::NAN, 1.0, 1.0]), [Some(false); 3]);
    let inward = engine([turned(solid_box([0.0; 3], [4.0; 3]))]);
    let inside = by(&inward, [1.0; 3]);
    assert_eq!(inside, [Some(true), Some(false), Some(false)]);
    // Without one of its triangles, which is farthest from here.
    let open = BruteForce::new(&solid_box([0.0; 3], [4.0; 3])[1..]);
    assert_eq!(by(&open, [2.0; 3]), [None, None, Some(true)]);
    assert_eq!(by(&open, [5.0; 3]), [None, None, Some(false)]);
    let error = open.contains_by([2.0; 3], SignRule::Parity).unwrap_err();
    assert!(matches!(error, SurfaceError::Open { .. }));
}
