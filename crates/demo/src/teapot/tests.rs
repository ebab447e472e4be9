use super::*;
use crate::SplitMix64;
use estoc_bvh::Bvh;
use estoc_core::glam::Vec3;
use estoc_core::{Crossings, Cull, Hit, PrimId, QueryOptions, Ray, RayQuery, is_closed};
use estoc_mesh::Mesh;

fn mesh(n: usize) -> Mesh {
    teapot(n).into_mesh("demo:teapot")
}

#[test]
fn counts_are_what_is_made_and_near_what_is_asked_for() {
    for n in [1, 1500, 2000, 3001, 10_000, 77_777] {
        let made = teapot(n).triangle_count();
        assert!(n == 1 || made.abs_diff(n) < n / 10, "{made} for {n}");
    }
    let shapes = Shapes::new();
    for edge in [1.0, 0.07, 0.03, 0.0123] {
        let counts = Counts::new(&shapes, edge);
        let polygons = teapot(counts.triangles());
        assert_eq!(polygons.triangle_count(), counts.triangles(), "edge {edge}");
    }
}

#[test]
fn pot_and_lid_are_closed_each_and_stand_on_the_ground() {
    for n in [1, 2000, 20_000] {
        let mesh = mesh(n);
        assert_eq!(mesh.objects(), ["pot", "lid"]);
        assert_eq!(
            mesh.groups(),
            ["body", "inside", "spout", "handle", "cover", "knob"]
        );
        for object in ["pot", "lid"] {
            let part = mesh.triangles().enumerate().filter(|(i, _)| {
                let prim = PrimId::from_index(*i).unwrap();
                mesh.object_of(prim) == Some(object)
            });
            let triangles = part.map(|(_, triangle)| triangle);
            assert!(is_closed(triangles), "{object} of n={n}");
        }
        let bounds = mesh.bounds();
        assert_eq!((bounds.min().y, bounds.max().y), (0.0, 1.0), "n={n}");
        assert!(bounds.max().x < 1.1 && bounds.min().x > -1.1, "n={n}");
    }
}

/// Euler characteristic: vertices - edges + faces is 2 for the lid; the pot is a sphere with two
/// holes through it, one inside the handle and one along the spout.
#[test]
fn the_pot_has_a_handle_and_a_spout_that_is_open() {
    let polygons = teapot(5000);
    let (faces, corners) = (polygons.triangle_count(), polygons.positions().len());
    assert_eq!(corners as i64 - faces as i64 / 2, (2 - 2 * 2) + 2);
}

/// Rays enter and leave solids alternately if these do not intersect themselves or each other; a
/// solid that is oriented outwards is entered first.
#[test]
fn rays_enter_and_leave_in_turn() {
    for n in [1, 1800, 7000] {
        let mesh = mesh(n);
        let bvh = Bvh::build(&mesh);
        let mut rng = SplitMix64::new(3);
        let mut crossings = 0;
        for _ in 0..4000 {
            let share = |k: usize, unit: f64| {
                let (low, high) = (mesh.bounds().min()[k], mesh.bounds().max()[k]);
                low + (high - low) * unit as f32
            };
            let point = Vec3::from_array(std::array::from_fn(|k| share(k, rng.unit())));
            let line = Ray::new(point, rng.direction().map(|x| x as f32));
            let line = line.with_interval(-10.0, 10.0);
            let front = QueryOptions::new().cull(Cull::Back);
            let entries = bvh.ask_with(Crossings, &line, &front).unwrap();
            let all = bvh.crossings(&line);
            let in_turn: Vec<Hit> = all.iter().copied().step_by(2).collect();
            assert_eq!(in_turn, entries, "n={n} {line:?}");
            assert_eq!(all.len(), 2 * entries.len(), "n={n} {line:?}");
            crossings += all.len();
        }
        assert!(crossings > 8000, "{crossings}");
    }
}

#[test]
fn it_is_hollow_and_pours() {
    let bvh = Bvh::build(&mesh(20_000));
    let inside = |x: f32, y: f32| bvh.contains([x, y, 0.0]).unwrap();
    assert!(inside(0.0, 0.05), "the floor");
    assert!(!inside(0.0, 0.4), "the hollow");
    assert!(inside(0.0, 0.95), "the knob");
    assert!(!inside(0.0, 0.72), "under the lid");
    assert!(!inside(-0.8, 0.5), "where fingers go");
    // From the inside out through the spout along its centre line, without touching anything.
    let spout = Shapes::new().spout;
    let middles = (0..=100).map(|i| spout.at(f64::from(i) / 100.0));
    let way = [Vec3::new(0.5, 0.34, 0.0)]
        .into_iter()
        .chain(middles.map(|[x, y, ..]| Vec3::new(x as f32, y as f32, 0.0)));
    let way: Vec<Vec3> = way.collect();
    for step in way.windows(2) {
        let ray = Ray::new(step[0], step[1] - step[0]).with_interval(0.0, 1.0);
        assert!(
            !bvh.any_hit(&ray),
            "blocked between {} and {}",
            step[0],
            step[1]
        );
    }
}
