//! Both layouts give the same bits for all queries, and use the expected memory.

use crate::common::{Rng, Shape};
use estoc_bvh::{Bvh, BvhStats, ChildView, Layout, NodeView, SimdLevel};
use estoc_core::{
    Any, Closest, Count, CountCrossings, Cull, HitBuffer, PrimId, QueryOptions, QuerySlice, Ray,
    RayQuery, Technique,
};
use estoc_demo::DemoSpec;
use estoc_mesh::Mesh;
use estoc_testkit::generate;

const RAYS: usize = 30;

fn both(mesh: &Mesh) -> [Bvh; 2] {
    Layout::ALL.map(|layout| {
        let bvh = Bvh::builder().layout(layout).build(mesh).unwrap();
        assert_eq!(bvh.validate(), Ok(()), "{layout}");
        assert_eq!(bvh.stats().layout, layout);
        bvh
    })
}

fn mesh(triangles: impl IntoIterator<Item = [[f32; 3]; 3]>) -> Mesh {
    Shape::soup(triangles).mesh()
}

/// Formats the answers to all questions about single rays: `Debug` distinguishes all floats except
/// NaNs, and 0 from -0.
fn all_of(bvh: &Bvh, rays: &[Ray]) -> Vec<String> {
    let mut buffer = HitBuffer::new();
    let options = QueryOptions::new().cull(Cull::Back).skip(PrimId::new(0));
    let ask = |ray: &Ray| {
        let closest = bvh.closest_hit(ray);
        let next = closest.map(|hit| bvh.next_hit(ray, hit.prim).unwrap());
        let options = [options, QueryOptions::new()];
        let kept = options.map(|options| {
            let hits = bvh.all_hits_in(ray, &options, &mut buffer).unwrap();
            let hits = format!("{hits:?}");
            let closest = bvh.ask_with(Closest, ray, &options).unwrap();
            (hits, closest, bvh.ask_with(Any, ray, &options).unwrap())
        });
        let counts = (bvh.count_hits(ray), bvh.count_crossings(ray));
        let lists = (bvh.first_hits(ray, 3), bvh.crossings(ray));
        let any = bvh.any_hit(ray);
        format!("{ray:?}: {closest:?} {next:?} {any} {counts:?} {lists:?} {kept:?}")
    };
    rays.iter().map(ask).collect()
}

/// Does the same for batches.
fn batches(bvh: &Bvh, rays: &[Ray], technique: Technique) -> String {
    let many = QuerySlice::new(rays).technique(technique);
    let mut hits = vec![None; rays.len()];
    let mut any = vec![false; rays.len()];
    let (mut count, mut crossings) = (vec![0; rays.len()], vec![0; rays.len()]);
    let techniques = [
        bvh.ask_many(Closest, &many, &mut hits).unwrap(),
        bvh.ask_many(Any, &many, &mut any).unwrap(),
        bvh.ask_many(Count, &many, &mut count).unwrap(),
        bvh.ask_many(CountCrossings, &many, &mut crossings).unwrap(),
    ];
    format!("{techniques:?} {hits:?} {any:?} {count:?} {crossings:?}")
}

/// Compares both layouts; returns the number of rays that hit.
fn compare(name: &str, mesh: &Mesh, rays: &[Ray]) -> usize {
    let [fast, compact] = both(mesh);
    for i in 0..mesh.triangle_count() {
        let prim = PrimId::from_index(i).unwrap();
        assert_eq!(compact.triangle(prim), mesh.triangle(prim), "{name}");
    }
    assert_eq!(fast.is_closed(), compact.is_closed(), "{name}");
    for level in SimdLevel::available() {
        let [fast, compact] = [&fast, &compact].map(|bvh| bvh.clone().with_simd_level(level));
        let answers = [&fast, &compact].map(|bvh| all_of(bvh, rays));
        for (a, b) in answers[0].iter().zip(&answers[1]) {
            assert_eq!(a, b, "{name}, {level}");
        }
        for technique in Technique::ALL {
            let [a, b] = [&fast, &compact].map(|bvh| batches(bvh, rays, technique));
            assert!(a == b, "{name}, {level}, {technique}:\n{a}\n{b}");
        }
    }
    rays.iter().filter(|ray| fast.any_hit(ray)).count()
}

#[test]
fn hostile_scenes_give_the_same_bits() {
    let mut hits = 0;
    for scene in generate::scenes(21) {
        let finite = scene.triangles.iter().filter(|t| t.is_finite());
        let corners = finite.map(|t| t.corners().map(|p| p.to_array()));
        let rays: Vec<Ray> = generate::cases(&scene, RAYS).map(|case| case.ray).collect();
        hits += compare(scene.name, &mesh(corners), &rays);
    }
    assert!(hits > 250, "{hits}");
}

/// The scale of the tree differs from that of the mesh, so that corners are scaled as they are
/// gathered; and neighbouring rays are traced as packets.
#[test]
fn scenes_of_any_size_give_the_same_bits() {
    let mut rng = Rng::new(22);
    for unit in [1e-38, 1e-30, 1.0, 1e30] {
        let shape = Shape::random(3000, 0.2, &mut rng).scaled(unit);
        let mut rays: Vec<Ray> = (0..32 * 32)
            .map(|i| {
                let [x, y] = [i % 32, i / 32].map(|i| i as f32 / 32.0 - 0.5);
                Ray::new([0.5 * unit, 0.5 * unit, -3.0 * unit], [x, y, 1.0])
            })
            .collect();
        rays.extend((0..300).map(|_| {
            let origin = rng.vec(-1.0, 2.0).map(|x| x * unit);
            Ray::new(origin, rng.vec(-1.0, 1.0))
        }));
        let hits = compare(&format!("size {unit:e}"), &shape.mesh(), &rays);
        assert!(hits > 100, "size {unit:e}: {hits} hits");
    }
}

/// Leaves of any length, and each corner at the last place of the array.
#[test]
fn any_number_of_triangles_gives_the_same_bits() {
    let mut rng = Rng::new(23);
    for count in 0..20 {
        let shape = Shape::random(count, 0.7, &mut rng);
        let rays: Vec<Ray> = (0..40)
            .map(|_| Ray::new(rng.vec(-1.0, 2.0), rng.vec(-1.0, 1.0)))
            .collect();
        compare(&format!("{count} triangles"), &shape.mesh(), &rays);
    }
    let corners = [[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0]];
    let ray = Ray::new([0.25, 0.25, 0.0], [0.0, 0.0, 1.0]);
    for face in [[0, 1, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let mesh = Mesh::try_new(corners, [face]).unwrap();
        assert_eq!(compare(&format!("{face:?}"), &mesh, &[ray]), 1);
    }
}

/// Vertices without triangles are ignored.
#[test]
fn what_is_not_used_does_not_matter() {
    let nan = [f32::NAN; 3];
    let corners = [
        nan,
        [0.0, 0.0, 1.0],
        nan,
        [1.0, 0.0, 1.0],
        [0.0, 1.0, 1.0],
        nan,
    ];
    let same = [[1, 3, 4]; 50];
    let point = [[3; 3]; 9];
    let mesh = Mesh::try_new(corners, same.into_iter().chain(point)).unwrap();
    let rays = [
        Ray::new([0.25, 0.25, 0.0], [0.0, 0.0, 1.0]),
        Ray::new([1.0, 0.0, 0.0], [0.0, 0.0, 1.0]),
        Ray::new([0.25, -1.0, 1.0], [0.0, 1.0, 0.0]),
    ];
    assert_eq!(compare("fifty times one", &mesh, &rays), 2);
}

fn stats(spec: &str) -> [BvhStats; 2] {
    let mesh = spec.parse::<DemoSpec>().unwrap().mesh();
    both(&mesh).map(|bvh| bvh.stats())
}

#[test]
fn a_compact_tree_takes_a_quarter_of_the_memory() {
    for spec in ["hall", "terrain?n=100000"] {
        let [fast, compact] = stats(spec);
        let each = compact.bytes_per_triangle();
        println!("{spec}: {:.2} and {each:.2}", fast.bytes_per_triangle());
        assert!((11.0..14.0).contains(&each), "{spec}: {each}");
        assert!(fast.bytes_per_triangle() < 50.0, "{spec}");
        assert_eq!(compact.bytes_by_part.triangles, 0);
        assert_eq!(compact.bytes_by_part.names, 4 * compact.triangles);
        assert_eq!((fast.nodes, fast.depth), (compact.nodes, compact.depth));
        // Three indices per triangle, and a positive number of bytes for the vertices.
        assert!(compact.shared_bytes > 12 * compact.triangles, "{spec}");
        assert_eq!(fast.shared_bytes, 0);
    }
}

#[test]
fn the_tree_outlives_the_mesh() {
    let mesh = Shape::sphere(1.0, 20, 10, false).mesh();
    let tree = Bvh::builder().layout(Layout::Compact).build(&mesh).unwrap();
    let copy = mesh.clone();
    assert_eq!(copy.positions().as_ptr(), mesh.positions().as_ptr());
    let ray = Ray::new([0.1, 0.2, -3.0], [0.0, 0.0, 1.0]);
    let expected = Bvh::build(&mesh).all_hits(&ray);
    assert_eq!(expected.len(), 2);
    drop((mesh, copy));
    assert_eq!(tree.clone().all_hits(&ray), expected);
    assert_eq!(tree.all_hits(&ray), expected);
}

/// Both layouts report the same triangles of each leaf.
#[test]
fn both_show_the_same_leaves() {
    let mesh = Shape::random(500, 0.1, &mut Rng::new(24)).mesh();
    let leaves = both(&mesh).map(|bvh| {
        let children = bvh.nodes().flat_map(NodeView::<f32>::children);
        let leaf = |(_, child)| match child {
            ChildView::Leaf(prims) => Some(prims.collect::<Vec<_>>()),
            _ => None,
        };
        children.filter_map(leaf).collect::<Vec<_>>()
    });
    assert_eq!(leaves[0], leaves[1]);
    assert_eq!(leaves[0].iter().map(Vec::len).sum::<usize>(), 500);
}

/// Refits to as many triangles elsewhere, at another scale, and back.
#[test]
fn both_are_refitted_to_the_same_tree() {
    let mut rng = Rng::new(25);
    let shape = Shape::random(2000, 0.1, &mut rng);
    let (here, there) = (shape.mesh(), shape.scaled(1e-30).mesh());
    let mut trees = both(&here);
    for mesh in [&there, &here] {
        let [a, b] = trees.each_mut().map(|bvh| bvh.refit(mesh).unwrap());
        assert_eq!(a, b);
        for bvh in &trees {
            assert_eq!(bvh.validate(), Ok(()));
            let prim = PrimId::new(7).unwrap();
            assert_eq!(bvh.triangle(prim), mesh.triangle(prim));
        }
        let size = mesh.bounds().max().x;
        let rays: Vec<Ray> = (0..200)
            .map(|_| Ray::new(rng.vec(0.0, 1.0).map(|x| x * size), rng.vec(-1.0, 1.0)))
            .collect();
        assert!(all_of(&trees[0], &rays) == all_of(&trees[1], &rays));
        assert!(rays.iter().any(|ray| trees[1].any_hit(ray)));
    }
}
