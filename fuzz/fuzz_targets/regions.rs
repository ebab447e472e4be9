//! Reads arbitrary bytes as triangles and regions: the third line of defence, after the tables and the
//! oracle of `crates/core/tests` and `crates/bvh/tests`. Nothing may panic or hang, trees must answer as
//! brute force does, and the order of triangles, corners and axes must not matter.

#![no_main]

use estoc_bvh::Bvh;
use estoc_core::glam::{Mat4, Vec3};
use estoc_core::{
    Aabb, BruteForce, Frustum, HalfSpace, Intersection, Obb, Plane, Region, RegionEngine,
    RegionQuery, Sphere, Triangle,
};
use estoc_mesh::Mesh;
use libfuzzer_sys::fuzz_target;
use std::ops::ControlFlow;

/// More triangles would make a run slow.
const MOST: usize = 12;

fuzz_target!(|bytes: &[u8]| {
    let mut numbers = Numbers(bytes);
    let Some(regions) = regions(&mut numbers) else {
        return;
    };
    let mut triangles = Vec::new();
    while let Some(triangle) = triangle(&mut numbers) {
        triangles.push(triangle);
        if triangles.len() == MOST {
            break;
        }
    }
    check(&triangles, &regions);
});

/// Numbers of few bits, so that coincidences are frequent, or of any.
struct Numbers<'a>(&'a [u8]);

impl Numbers<'_> {
    fn next(&mut self) -> Option<f32> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        if first < 0xf0 {
            return Some(f32::from(first % 16) - 8.0);
        }
        let (bits, rest) = rest.split_first_chunk()?;
        self.0 = rest;
        let number = f32::from_le_bytes(*bits);
        number.is_finite().then_some(number)
    }

    fn point(&mut self) -> Option<Vec3> {
        Some(Vec3::new(self.next()?, self.next()?, self.next()?))
    }
}

fn triangle(numbers: &mut Numbers<'_>) -> Option<Triangle> {
    Some(Triangle::new(
        numbers.point()?,
        numbers.point()?,
        numbers.point()?,
    ))
}

/// Returns regions of all kinds that these numbers define.
fn regions(numbers: &mut Numbers<'_>) -> Option<Vec<Box<dyn Region>>> {
    let [a, b, c, d] = [
        numbers.point()?,
        numbers.point()?,
        numbers.point()?,
        numbers.point()?,
    ];
    let bounds = Aabb::of_points([a, b]);
    let columns = [b - a, c - a, d - a].map(|column| column.extend(0.0));
    let model = Mat4::from_cols(columns[0], columns[1], columns[2], a.extend(1.0));
    let planes =
        [(a, b), (b, c), (c, d), (d, a)].map(|(point, normal)| Plane::through(point, normal));
    let planes: Vec<Plane> = planes.into_iter().flatten().collect();
    let mut regions: Vec<Box<dyn Region>> = vec![
        Box::new(bounds),
        Box::new(Triangle::new(a, b, c)),
        Box::new(Frustum::try_new(&planes).expect("four planes")),
    ];
    if let Ok(sphere) = Sphere::try_new(c, d.x.abs()) {
        regions.push(Box::new(sphere));
    }
    if let Ok(obb) = Obb::from_model(&bounds, &model) {
        regions.push(Box::new(obb));
    }
    if let Some(&plane) = planes.first() {
        regions.push(Box::new(plane));
        regions.push(Box::new(HalfSpace(plane)));
    }
    Some(regions)
}

fn check(triangles: &[Triangle], regions: &[Box<dyn Region>]) {
    let corners = triangles.iter().flat_map(Triangle::corners);
    let faces = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    let mesh = Mesh::try_new(corners, faces).expect("finite corners");
    let (tree, brute) = (Bvh::build(&mesh), BruteForce::new(triangles));
    let reversed: Vec<Triangle> = triangles
        .iter()
        .rev()
        .map(|&Triangle { p0, p1, p2 }| Triangle::new(p2, p1, p0))
        .collect();
    let reversed = BruteForce::new(reversed);
    let last = triangles.len().wrapping_sub(1);
    for region in regions {
        let found = brute.overlaps(&**region);
        assert_eq!(tree.overlaps(&**region), found);
        assert_eq!(tree.any_overlap(&**region), !found.is_empty());
        let back = reversed.overlaps(&**region).into_iter().rev();
        assert!(
            back.map(|prim| last - prim.index())
                .eq(found.iter().map(|prim| prim.index()))
        );
    }
    let found = pairs(&brute);
    assert_eq!(pairs(&tree), found);
    let names = |pair: &Intersection| (pair.first.index(), pair.second.index(), pair.kind);
    let mut back: Vec<_> = pairs(&reversed)
        .iter()
        .map(|pair| {
            (
                last - pair.second.index(),
                last - pair.first.index(),
                pair.kind,
            )
        })
        .collect();
    back.sort_unstable_by_key(|pair| (pair.0, pair.1));
    assert!(back.into_iter().eq(found.iter().map(names)));
    let turned = triangles.iter().map(|triangle| {
        let [a, b, c] = triangle.corners().map(|p| Vec3::new(p.z, p.x, p.y));
        Triangle::new(a, b, c)
    });
    assert_eq!(pairs(&BruteForce::new(turned.collect::<Vec<_>>())), found);
}

fn pairs(engine: &impl RegionEngine) -> Vec<Intersection> {
    let mut found = Vec::new();
    let _ = engine.self_intersections(&mut |pair| {
        found.push(pair);
        ControlFlow::<()>::Continue(())
    });
    found
}
