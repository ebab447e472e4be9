//! What a device must compute before it is used: fixed numbers, and fixed rays that pass through edges and corners.
//!
//! It cannot show that a device is right, only that it breaks none of the rules that the kernel relies on in ways that
//! drivers are known to: products or sums that are off by more than a unit, quotients that are far off, integers and
//! comparisons that are wrong, memory that is read or written elsewhere.

use crate::candidates::Wanted;
use crate::device::Device;
use crate::gpu_batch::GpuBatch;
use crate::gpu_bvh::GpuBvh;
use crate::gpu_engine::RayWords;
use crate::gpu_error::GpuError;
use estoc_batch::Batch;
use estoc_bvh::Bvh;
use estoc_core::glam::{DVec3, Vec3};
use estoc_core::{Ray, Triangle};
use estoc_mesh::Mesh;

/// The number of words that `examine` writes, and the place of the triangle's id in them.
const EXAMINED_WORDS: usize = 14;
const PRIM_WORD: usize = 13;

pub(crate) fn check(device: &Device) -> Result<(), GpuError> {
    let triangles = triangles();
    compare(device, &triangles, &rays(&triangles))?;
    // Rays that fall slowly on a sheet far from 0, so that a small error of where its box is would be a large one of when.
    let height = 230.0;
    let sheet = [[0.0, 0.0], [230.0, 0.0], [0.0, 230.0]].map(|[x, y]| Vec3::new(x, y, height));
    let [a, b, c] = sheet;
    let falling = |i: i32| {
        let (slope, above) = (1e-9 * (3.0 + i as f32), 2f32.powi(-14));
        let start = 60.0 + i as f32 - above / slope;
        Ray::new([start, 60.0, height + above], [1.0, 0.0, -slope])
    };
    let rays: Vec<Ray> = (0..64).map(falling).collect();
    compare(device, &[Triangle::new(a, b, c)], &rays)
}

/// Compares the numbers of the kernel, and the answers about rays, with those of the processor.
fn compare(device: &Device, triangles: &[Triangle], rays: &[Ray]) -> Result<(), GpuError> {
    let refused = |reason: String| GpuError::Refused {
        device: device.info().name.clone(),
        reason,
    };
    let corners = triangles.iter().flat_map(Triangle::corners);
    let faces = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    let mesh = Mesh::try_new(corners, faces).map_err(|error| refused(error.to_string()))?;
    let bvh = Bvh::build(&mesh);
    let gpu = GpuBvh::new(&bvh, device)?;
    check_numbers(&gpu, triangles).map_err(|error| error.map_or_else(|error| error, &refused))?;

    let batch = GpuBatch::new(&gpu).set(|batch| batch.threads(1));
    macro_rules! compare {
        ($($ask:ident $what:literal,)*) => {$(
            let (found, _) = batch.run(|batch, engine| batch.$ask(engine, rays)).map_err(gpu_error)?;
            let expected = Batch::new().threads(1).$ask(&bvh, rays).map_err(|error| refused(error.to_string()))?;
            if let Some(ray) = (0..rays.len()).find(|&ray| found[ray] != expected[ray]) {
                let (ray, found, expected) = (rays[ray], &found[ray], &expected[ray]);
                return Err(refused(format!(concat!("the ", $what, " of {:?} is {:?} instead of {:?}"), ray, found, expected)));
            }
        )*};
    }
    compare!(closest_hits "first hit", any_hits "answer whether there is a hit", count_hits "number of hits",);
    Ok(())
}

fn gpu_error(error: crate::GpuBatchError) -> GpuError {
    match error {
        crate::GpuBatchError::Gpu(error) => error,
        crate::GpuBatchError::Batch(error) => GpuError::Failed {
            reason: error.to_string(),
        },
    }
}

/// The unit of small triangles.
const SMALL: f32 = 1.0 / 16384.0;

/// Numbers from a seed.
struct Numbers(u32);

impl Numbers {
    fn below(&mut self, n: u32) -> u32 {
        // Numerical Recipes' generator, whose high bits are good enough.
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) % n
    }

    fn coordinate(&mut self, reach: i32) -> f32 {
        (self.below(2 * reach as u32 + 1) as i32 - reach) as f32
    }

    fn point(&mut self, reach: i32) -> Vec3 {
        Vec3::from([0; 3].map(|_: i32| self.coordinate(reach)))
    }
}

/// Returns two layers of a surface with shared edges, and triangles that lie about. Coordinates are below 2^8 and multiples
/// of 2^-14, so that all exact numbers of rays near them are `f64`s.
fn triangles() -> Vec<Triangle> {
    let mut numbers = Numbers(1);
    let mut triangles = Vec::new();
    for layer in 0..2 {
        let heights: Vec<f32> = (0..81)
            .map(|_| numbers.coordinate(20) + 60.0 * layer as f32)
            .collect();
        let corner = |x: usize, y: usize| {
            [
                40.0 * x as f32 - 160.0,
                40.0 * y as f32 - 160.0,
                heights[9 * y + x],
            ]
        };
        for (x, y) in (0..64).map(|i| (i % 8, i / 8)) {
            let [a, b, c, d] = [
                corner(x, y),
                corner(x + 1, y),
                corner(x + 1, y + 1),
                corner(x, y + 1),
            ];
            triangles.extend([Triangle::new(a, b, c), Triangle::new(a, c, d)]);
        }
    }
    // Small ones far from 0, which a compiler that multiplied out differences would spoil.
    triangles.extend((0..64).map(|_| {
        let mut corner = || Vec3::splat(200.0) + numbers.point(1024) * SMALL;
        Triangle::new(corner(), corner(), corner())
    }));
    triangles.extend(
        (0..64).map(|_| Triangle::new(numbers.point(200), numbers.point(200), numbers.point(200))),
    );
    triangles
}

/// Returns rays through corners, edges and the middle of triangles, from near and far, along axes and not.
fn rays(triangles: &[Triangle]) -> Vec<Ray> {
    let mut numbers = Numbers(2);
    let ray = |i: usize| {
        let [a, b, c] = triangles[numbers.below(triangles.len() as u32) as usize].corners();
        let through = match i % 4 {
            0 => a,
            1 => (a + b) / 2.0,
            2 => a + (b - a) / 4.0 + (c - a) / 4.0,
            _ => numbers.point(200),
        };
        let axis = [Vec3::X, Vec3::Y, Vec3::Z][numbers.below(3) as usize];
        let dir = match i / 4 % 4 {
            0 => axis * if numbers.below(2) == 0 { 1.0 } else { -1.0 },
            1 => axis + numbers.point(20) * 1e-7,
            2 => through - a + numbers.point(3),
            _ => numbers.point(30),
        };
        let way = [0.0, 1.0, 16.0, 4096.0][numbers.below(4) as usize];
        Ray::new(
            through - dir * way,
            dir * [1.0, 1e-30, 1e20][numbers.below(3) as usize],
        )
    };
    (0..4096).map(ray).collect()
}

/// Compares the numbers of the kernel with exact ones: an error of the device, or what is wrong.
fn check_numbers(gpu: &GpuBvh<'_>, triangles: &[Triangle]) -> Result<(), Result<String, GpuError>> {
    let mut words = RayWords {
        wanted: Wanted::All,
        words: vec![0; 8 * triangles.len()],
        ray_words: 8,
    };
    // The order of triangles in the tree.
    let mut prims = Vec::new();
    let learn = &mut |answers: &[u32]| {
        prims = answers
            .chunks_exact(EXAMINED_WORDS)
            .map(|words| words[PRIM_WORD])
            .collect();
    };
    gpu.examine(&words, EXAMINED_WORDS, learn).map_err(Err)?;
    // In the kernel's unit, which is 2^-8: rays through the middle of each triangle, and past it.
    let mut numbers = Numbers(3);
    let mut rays = Vec::new();
    for (place, (prim, words)) in prims
        .iter()
        .zip(words.words.chunks_exact_mut(8))
        .enumerate()
    {
        let Some(triangle) = triangles.get(*prim as usize) else {
            return Err(Ok(format!("there is no triangle {prim}")));
        };
        let [a, b, c] = triangle.corners();
        let is_small = (b - a).abs().max_element() < 1.0;
        let near = if is_small { SMALL } else { 1.0 };
        let through = (a + b + 2.0 * c) / 4.0 + numbers.point(40) * near * (place % 2) as f32;
        let from = match is_small {
            true => through + numbers.point(1024) * near,
            false => numbers.point(200),
        };
        let ray = [from / 256.0, (through - from) / 256.0];
        for (word, number) in words.iter_mut().zip(ray.iter().flat_map(Vec3::to_array)) {
            *word = number.to_bits();
        }
        rays.push(ray);
    }
    let mut told = Vec::new();
    gpu.examine(&words, EXAMINED_WORDS, &mut |answers| {
        told = answers.to_vec();
    })
    .map_err(Err)?;
    for (ray, words) in rays.iter().zip(told.chunks_exact(EXAMINED_WORDS)) {
        let Some(triangle) = triangles.get(words[PRIM_WORD] as usize) else {
            return Err(Ok(format!("there is no triangle {}", words[PRIM_WORD])));
        };
        let [a, b, c] = triangle.corners().map(|p| p.as_dvec3() / 256.0);
        let [o, d] = ray.map(|p| DVec3::from(p.to_array().map(f64::from)));
        let (s, e1, e2) = (o - a, b - a, c - a);
        let (p, q) = (d.cross(e2), s.cross(e1));
        let (det, u, v) = (e1.dot(p), s.dot(p), d.dot(q));
        let number = |word: usize| f64::from(f32::from_bits(words[word]));
        for (place, exact) in [u, v, det - u - v, det, e2.dot(q)].into_iter().enumerate() {
            if (number(place) - exact).abs() > number(place + 5) {
                return Err(Ok(format!(
                    "a sum of products is {:e} instead of {exact:e}",
                    number(place)
                )));
            }
        }
        let t = e2.dot(q) / det;
        let [maybe, sure, bounded] = [1, 2, 4].map(|bit| words[10] & bit != 0);
        let hits = det != 0.0
            && [u, v, det - u - v]
                .iter()
                .all(|weight| weight * det.signum() >= 0.0);
        if (hits && !maybe) || (sure && !hits) || (bounded && !(number(11) <= t && t <= number(12)))
        {
            let told = format!("[{:e}, {:e}], sure: {sure}", number(11), number(12));
            return Err(Ok(format!("a hit at {t:e}, {hits}, is told as {told}")));
        }
    }
    Ok(())
}
