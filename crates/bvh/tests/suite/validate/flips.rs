//! Trees with random damage: found, or harmless.

use super::held_by;
use crate::leaf_writer::change;
use estoc_bvh::internals::tree::BvhInternals;
use estoc_bvh::internals::wide::{WIDTH, WideTree};
use estoc_bvh::{Bvh, Layout, SimdLevel};
use estoc_core::glam::Vec3;
use estoc_core::{BruteForce, PrimId, Ray, RayQuery};
use estoc_mesh::Mesh;
use estoc_testkit::generate::Rng;

fn bit(bits: usize, rng: &mut Rng) -> u32 {
    1 << rng.below(bits)
}

fn flip_node(tree: &mut WideTree, rng: &mut Rng) {
    let node = rng.below(tree.nodes.len());
    let node = &mut tree.nodes[node];
    let lane = rng.below(WIDTH);
    match rng.below(8) {
        0 => node.tags[lane] ^= bit(32, rng),
        1 => node.tags[lane] ^= bit(7, rng),
        2 => node.place[lane] ^= bit(32, rng),
        3 => {
            let other = rng.below(WIDTH);
            node.place.swap(lane, other);
            node.tags.swap(lane, other);
        }
        _ => {
            let face = &mut node.faces[rng.below(3)][rng.below(2)][lane];
            *face = f32::from_bits(face.to_bits() ^ bit(32, rng));
        }
    }
}

fn flip_leaf(tree: &mut WideTree, rng: &mut Rng) {
    change(&mut tree.leaves, |numbers| {
        let place = rng.below(numbers.len());
        match rng.below(8) {
            0 => numbers[place] = f32::NAN.to_bits(),
            1 => numbers[place] ^= 1 << 31,
            2 => {
                let other = rng.below(numbers.len());
                numbers.swap(place, other);
            }
            // Small changes stay within their boxes now and then.
            3..6 => numbers[place] ^= bit(23, rng),
            _ => numbers[place] ^= bit(32, rng),
        }
    });
}

/// Returns the tree with some damage. Half of the time its size is measured anew, so that the check
/// of the size finds no more than it must.
fn damaged(sound: &Bvh, rng: &mut Rng) -> Bvh {
    let mut tree = sound.inner().clone();
    for _ in 0..rng.pick(&[1, 1, 2, 5]) {
        match rng.below(2) {
            0 => flip_node(&mut tree, rng),
            _ => flip_leaf(&mut tree, rng),
        }
    }
    if rng.one_in(2) {
        tree = WideTree::new(tree.nodes, tree.leaves, tree.scale);
    }
    // No cached data of the sound tree may be left.
    Bvh::from_inner(tree)
}

/// Returns unconnected triangles around the origin, many on a grid, so that rays graze them.
fn soup(triangles: usize, unit: f32, layout: Layout, rng: &mut Rng) -> Bvh {
    let corners: Vec<Vec3> = (0..triangles)
        .flat_map(|_| {
            let at = 4.0 * rng.point();
            let on_grid = rng.one_in(2);
            let at = if on_grid { at.round() } else { at };
            [0; 3].map(|_: i32| {
                at + if on_grid {
                    rng.grid_point(1)
                } else {
                    rng.point()
                }
            })
        })
        .map(|p| p * unit)
        .collect();
    let faces = (0..triangles as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    let mesh = Mesh::try_new(corners, faces).unwrap();
    Bvh::builder().layout(layout).build(&mesh).unwrap()
}

/// Returns a ray at one of the triangles.
fn ray(unit: f32, held: &BruteForce, rng: &mut Rng) -> Ray {
    let target = rng.below(held.triangle_count());
    let prim = PrimId::from_index(target).unwrap();
    let [a, b, c] = held.triangle(prim).unwrap().corners();
    let at = match rng.below(3) {
        0 => a,
        1 => a / 2.0 + b / 2.0,
        _ => a / 4.0 + b / 4.0 + c / 2.0,
    };
    let origin = match rng.below(8) {
        0 => at,
        1 => 1e4 * unit * rng.point(),
        2 => 1e12 * unit * rng.point(),
        3..5 => unit * rng.grid_point(5),
        _ => 5.0 * unit * rng.point(),
    };
    let towards = (at - origin) / unit;
    let dir = match towards.is_finite() && towards != Vec3::ZERO {
        true => towards,
        false => Vec3::new(0.5, -1.0, 0.25),
    };
    let [from, to] = rng.pick(&[
        [0.0, f32::INFINITY],
        [0.0, unit],
        [unit, f32::INFINITY],
        [f32::NEG_INFINITY, f32::INFINITY],
        [-0.5 * unit, 1.5 * unit],
    ]);
    Ray::new(origin, dir).with_interval(from, to)
}

/// Asks all questions at every level.
fn check(bvh: &Bvh, held: &BruteForce, ray: &Ray) -> usize {
    let hits = held.all_hits(ray);
    for level in SimdLevel::available() {
        let bvh = bvh.clone().with_simd_level(level);
        assert_eq!(bvh.all_hits(ray), hits, "{level}: {ray:?}");
        assert_eq!(
            bvh.closest_hit(ray),
            hits.first().copied(),
            "{level}: {ray:?}"
        );
        assert_eq!(bvh.any_hit(ray), !hits.is_empty(), "{level}: {ray:?}");
        assert_eq!(bvh.count_hits(ray), hits.len(), "{level}: {ray:?}");
    }
    hits.len()
}

/// Damages the tree `rounds` times; returns how often the damage was found, how often it was
/// harmless, and the number of hits of the harmless ones.
fn rounds(sound: &Bvh, unit: f32, rounds: usize, rng: &mut Rng) -> [usize; 3] {
    assert_eq!(sound.validate(), Ok(()));
    let [mut found, mut accepted, mut hits] = [0; 3];
    for _ in 0..rounds {
        let bvh = damaged(sound, rng);
        if bvh.validate().is_err() {
            found += 1;
            continue;
        }
        accepted += 1;
        let held = held_by(&bvh);
        for _ in 0..8 {
            hits += check(&bvh, &held, &ray(unit, &held, rng));
        }
        let prim = PrimId::from_index(rng.below(held.triangle_count())).unwrap();
        assert_eq!(bvh.triangle(prim), held.triangle(prim));
        assert_eq!(bvh.is_closed(), held.is_closed());
    }
    [found, accepted, hits]
}

/// Accepted trees answer as brute force over their own triangles does, and never read outside the
/// arrays: that would panic.
#[test]
fn random_flips_are_found_or_do_no_harm() {
    const SEED: u64 = 7;
    let mut rng = Rng::new(SEED);
    use Layout::{Compact, Fast};
    for (triangles, unit, layout, times) in [
        (300, 1.0, Fast, 8000),
        (300, 1.0, Compact, 4000),
        (3, 1.0, Fast, 4000),
        (9, 2f32.powi(-100), Fast, 4000),
        (100, 1e-30, Fast, 4000),
        (100, 1e-30, Compact, 2000),
        // Scales at which not every number of the tree is one of a mesh.
        (40, 1e-38, Fast, 4000),
        (100, 1e30, Fast, 4000),
    ] {
        let sound = soup(triangles, unit, layout, &mut rng);
        let all @ [found, accepted, hits] = rounds(&sound, unit, times, &mut rng);
        println!("{layout}, {triangles} triangles of {unit:e}: {all:?} found, harmless, hits");
        assert!(
            found > times / 8,
            "{triangles} of {unit:e}, seed {SEED}: {all:?}"
        );
        // A changed id in a compact leaf is hardly ever a valid one.
        let least = match layout {
            Fast => times / 20,
            _ => times / 40,
        };
        assert!(
            accepted > least,
            "{triangles} of {unit:e}, seed {SEED}: {all:?}"
        );
        assert!(
            hits > accepted,
            "{triangles} of {unit:e}, seed {SEED}: {all:?}"
        );
    }
}
