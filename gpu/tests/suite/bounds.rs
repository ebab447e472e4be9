//! Searches for rays and triangles at which the kernel's bounds do not hold, by exact integers; and for answers that are
//! wrong by kernels whose bounds are too small, so that the searches are known to find what they look for.

use crate::{devices, tree_of};
use estoc::{Batch, Bvh, Ray, RayQuery, Triangle};
use estoc_gpu::{Device, GpuBatch, GpuBvh, GpuError, KERNEL, RayWords, Wanted};
use estoc_testkit::generate::{self, Rng};

/// The words that `examine` writes.
const WORDS: usize = 14;
/// The pairs of a ray and a triangle in one run.
const PAIRS: usize = 4000;

/// Vectors of integers in units of a power of two.
type Integers = [[i128; 3]; 5];

/// A ray and a triangle whose numbers are integers in units of powers of two: origin, corners, and direction.
struct Pair {
    /// Origin and corners, then the direction.
    numbers: Integers,
    unit: i32,
    dir_unit: i32,
}

const ORIGIN: usize = 0;
const DIR: usize = 4;

impl Pair {
    fn new(rng: &mut Rng) -> Self {
        // Numbers of 24 bits or less, far or close to each other, and some near the least ones that a product may have.
        let unit = if rng.one_in(6) {
            -100 - rng.int(0, 30)
        } else {
            -30
        };
        let spread = 4 + rng.int(0, 20);
        let coordinate =
            |rng: &mut Rng, around: i128| around + i128::from(rng.int(-(1 << spread), 1 << spread));
        let center = [0; 3].map(|_: i32| i128::from(rng.int(-(1 << 23), 1 << 23)) << rng.int(0, 6));
        let mut numbers = [[0; 3]; 5];
        let to_grid = |x: i128| {
            // Of 24 significant bits.
            let bits = 128 - x.unsigned_abs().leading_zeros();
            let lost = bits.saturating_sub(24);
            x >> lost << lost
        };
        for corner in &mut numbers[1..4] {
            *corner = center.map(|x| to_grid(coordinate(rng, x)));
        }
        let axis = rng.below(3);
        let dir = [0, 1, 2].map(|i| match i == axis {
            true => [1, -1][rng.below(2)] * i128::from(rng.int(1 << 23, (1 << 24) - 1)),
            false => i128::from(rng.int(-(1 << 23), 1 << 23)) >> (rng.below(24) * rng.below(2)),
        });
        numbers[DIR] = dir;
        // Starts so that it passes a point near an edge or a corner, or anywhere.
        let last = rng.int(0, 8);
        let weights = [rng.int(0, 8), rng.int(0, 8), rng.int(0, 1 << last)];
        let sum = i128::from(weights.iter().sum::<i32>().max(1));
        let longest = rng.int(1, 24);
        let way = i128::from(rng.int(0, 1 << longest)) << rng.int(0, 14);
        numbers[ORIGIN] = [0, 1, 2].map(|i| {
            let on: i128 = (0..3)
                .map(|corner| i128::from(weights[corner]) * numbers[corner + 1][i])
                .sum();
            to_grid(
                (on / sum - ((way * dir[i]) >> 20) + i128::from(rng.int(-3, 3)))
                    .clamp(-(1 << 29), 1 << 29),
            )
        });
        Pair {
            numbers,
            unit,
            dir_unit: -23,
        }
    }

    fn vector(&self, of: usize) -> [f32; 3] {
        let unit = if of == DIR { self.dir_unit } else { self.unit };
        self.numbers[of].map(|x| (x as f64 * 2f64.powi(unit)) as f32)
    }

    fn ray(&self) -> Ray {
        Ray::new(self.vector(ORIGIN), self.vector(DIR))
    }

    fn triangle(&self) -> Triangle {
        Triangle::new(self.vector(1), self.vector(2), self.vector(3))
    }

    /// Returns the exact u, v, w, det and t det, each rounded to an `f64`.
    fn polynomials(&self) -> [f64; 5] {
        let minus = |a: usize, b: usize| [0, 1, 2].map(|i| self.numbers[a][i] - self.numbers[b][i]);
        let (s, e1, e2, d) = (
            minus(ORIGIN, 1),
            minus(2, 1),
            minus(3, 1),
            self.numbers[DIR],
        );
        let cross = |a: [i128; 3], b: [i128; 3]| {
            [0, 1, 2].map(|i| a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3])
        };
        let dot = |a: [i128; 3], b: [i128; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let (p, q) = (cross(d, e2), cross(s, e1));
        let (det, u, v, t) = (dot(e1, p), dot(s, p), dot(d, q), dot(e2, q));
        let two = 2f64.powi(2 * self.unit + self.dir_unit);
        [
            u as f64 * two,
            v as f64 * two,
            (det - u - v) as f64 * two,
            det as f64 * two,
            t as f64 * 2f64.powi(3 * self.unit),
        ]
    }
}

/// What a search found: for each polynomial the greatest share of its bound that an error took, and the number of answers
/// that are wrong, and of those that are sure.
#[derive(Debug, Default)]
struct Found {
    shares: [f64; 5],
    wrong: usize,
    sure: usize,
    missed: usize,
}

impl Found {
    fn holds(&self) -> bool {
        self.wrong == 0 && self.shares.iter().all(|share| *share <= 1.0)
    }
}

fn search(device: &Device, seed: u64, runs: usize) -> Found {
    let mut found = Found::default();
    let mut rng = Rng::new(seed);
    for _ in 0..runs {
        let pairs: Vec<Pair> = (0..PAIRS).map(|_| Pair::new(&mut rng)).collect();
        // One more triangle makes the kernel's unit 1.
        let one = Triangle::new([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
        let triangles: Vec<Triangle> = pairs.iter().map(Pair::triangle).chain([one]).collect();
        let bvh = tree_of(&triangles);
        let gpu = GpuBvh::new(&bvh, device).unwrap();
        let mut words = RayWords {
            wanted: Wanted::All,
            words: vec![0; 8 * triangles.len()],
            ray_words: 8,
        };
        let mut prims = Vec::new();
        let order = &mut |answers: &[u32]| {
            prims = answers
                .chunks(WORDS)
                .map(|words| words[13] as usize)
                .collect();
        };
        gpu.examine(&words, WORDS, order).unwrap();
        for (place, &prim) in prims.iter().enumerate().filter(|(_, prim)| **prim < PAIRS) {
            let ray = pairs[prim].ray();
            words.words[8 * place..][..8].copy_from_slice(&ray.as_array().map(f32::to_bits));
        }
        let mut told = Vec::new();
        gpu.examine(&words, WORDS, &mut |answers| told = answers.to_vec())
            .unwrap();
        for (words, &prim) in told
            .chunks(WORDS)
            .zip(&prims)
            .filter(|(_, prim)| **prim < PAIRS)
        {
            check(&pairs[prim], words, &mut found);
        }
    }
    found
}

fn check(pair: &Pair, words: &[u32], found: &mut Found) {
    let number = |word: usize| f64::from(f32::from_bits(words[word]));
    let exact = pair.polynomials();
    for (place, exact) in exact.iter().enumerate() {
        let (off, bound) = ((number(place) - exact).abs(), number(place + 5));
        found.shares[place] = found.shares[place].max(off / bound);
    }
    let [u, v, w, det, t] = exact;
    let hits = det != 0.0 && [u, v, w].iter().all(|weight| weight * det.signum() >= 0.0);
    let [maybe, sure, bounded] = [1, 2, 4].map(|bit| words[10] & bit != 0);
    found.sure += usize::from(sure);
    found.missed += usize::from(!maybe);
    let parameter = t / det;
    let is_within = number(11) <= parameter && parameter <= number(12);
    if (hits && !maybe) || (sure && !hits) || (bounded && !is_within) {
        found.wrong += 1;
    }
}

/// Returns the kernel with another value of a constant.
fn spoilt(constant: &str, value: &str) -> String {
    let from = format!("const {constant} = ");
    let (before, after) = KERNEL.split_once(&from).unwrap();
    let (_, after) = after.split_once(';').unwrap();
    format!("{before}{from}{value};{after}")
}

#[test]
fn bounds_of_triangles_hold() {
    for device in devices() {
        let found = search(device, 1, 25);
        eprintln!("{device:?}: {found:?}");
        assert!(found.holds(), "{device:?}: {found:?}");
        assert!(found.sure > 10_000 && found.missed > 10_000, "{found:?}");
    }
}

#[test]
fn bounds_that_are_too_small_are_found() {
    for device in devices() {
        let twin_of = |constant: &str, value: &str| {
            Device::open_with(&device.info().name, &spoilt(constant, value)).unwrap()
        };
        for (constant, value) in [("ROUNDINGS", "0.5"), ("ROUNDINGS_OF_LAST", "0.3")] {
            let found = search(&twin_of(constant, value), 1, 4);
            assert!(!found.holds(), "{constant}: {found:?}, {device:?}");
        }
        if device.info().name.contains("SwiftShader") {
            // It makes small numbers zero.
            let found = search(&twin_of("FLUSHED", "0.0"), 1, 4);
            assert!(!found.holds(), "FLUSHED: {found:?}, {device:?}");
        }
        for constant in ["ROUNDINGS", "ROUNDINGS_OF_LAST"] {
            let found = search(&twin_of(constant, "0.0"), 1, 4);
            assert!(found.wrong > 0, "{constant}: {found:?}, {device:?}");
        }
    }
}

#[test]
fn devices_that_compute_wrongly_are_refused() {
    let kernels = [
        (
            "let det = dot(triangle.edge1, p);",
            "let det = dot(triangle.edge1, p) * 1.001;",
        ),
        ("let t = p.t / p.det;", "let t = p.t / p.det * 1.0001;"),
        ("countOneBits((group >> 8u)", "countOneBits((group >> 9u)"),
        ("entry <= leave", "entry < leave - 0.001"),
        (
            "(pairs * 0x01010101u) >> 24u",
            "(pairs * 0x00010101u) >> 24u",
        ),
        (
            "let child = bit ^ order;",
            "let child = (bit ^ order) & 3u;",
        ),
        (
            "limit = min(limit, hit.high);",
            "limit = min(limit, hit.low);",
        ),
        (
            "answers[next] = certain + 1u;",
            "answers[next] = certain + 2u;",
        ),
        // A compiler that multiplies out.
        (
            "(origin - ray.origin) * ray.inverse;",
            "origin * ray.inverse - ray.origin * ray.inverse;",
        ),
        (
            "let q = cross(s, triangle.edge1);",
            "let q = cross(o, triangle.edge1) - cross(triangle.corner, triangle.edge1);",
        ),
        (
            "let p = cross(d, triangle.edge2);",
            "let p = cross(d, triangle.edge2 + o) - cross(d, o);",
        ),
    ];
    for device in devices() {
        device.self_test().unwrap();
        for (right, wrong) in kernels {
            assert!(KERNEL.contains(right), "{right}");
            let twin =
                Device::open_with(&device.info().name, &KERNEL.replace(right, wrong)).unwrap();
            let refused = twin.self_test().expect_err(wrong);
            assert!(
                matches!(refused, GpuError::Refused { .. }),
                "{wrong}: {refused}"
            );
            assert!(
                refused.to_string().contains(&device.info().name),
                "{refused}"
            );
        }
    }
}

/// Returns the number of answers of a kernel that are wrong at scenes with rays along faces of boxes, and at tiny ones.
fn wrong_answers(device: &Device) -> usize {
    let mut wrong = 0;
    for name in [
        "box",
        "voxels",
        "layers",
        "sphere",
        "height field",
        "subnormal soup",
        "outlier",
        "mixed triangles",
    ] {
        for seed in 0..3 {
            let scene = generate::scene(name, seed).unwrap();
            let bvh: Bvh = tree_of(&scene.triangles);
            let mut rng = Rng::new(seed);
            let rays: Vec<Ray> = generate::cases(&scene, 2000)
                .map(|case| case.ray)
                .chain(along_axes(&scene.triangles, &mut rng))
                .collect();
            let gpu = GpuBvh::new(&bvh, device).unwrap();
            let found = GpuBatch::new(&gpu).closest_hits(&rays).unwrap();
            let expected = Batch::new().closest_hits(&bvh, &rays).unwrap();
            wrong += found.iter().zip(&expected).filter(|(a, b)| a != b).count();
        }
    }
    // Almost along a plane far below the unit, which the rays reach on their way of 512.
    let height = 2f32.powi(-33);
    let sheet = [[0.0, 0.0, height], [1.0, 0.0, height], [0.0, 1.0, height]];
    let bvh = tree_of(&[Triangle::new(sheet[0], sheet[1], sheet[2])]);
    let rays =
        [0.1, 0.2, 0.3].map(|x| Ray::new([x - 512.0, 0.25, 0.0], [1.0, 0.0, 2f32.powi(-42)]));
    let gpu = GpuBvh::new(&bvh, device).unwrap();
    let found = GpuBatch::new(&gpu).closest_hits(&rays).unwrap();
    assert_eq!(bvh.closest_hit(&rays[0]).map(|hit| hit.t), Some(512.0));
    wrong + found.iter().filter(|hit| hit.is_none()).count()
}

/// Rays to corners from far away, so that they run along faces of boxes, nearly parallel to some axes.
fn along_axes(triangles: &[Triangle], rng: &mut Rng) -> Vec<Ray> {
    let ray = |_| {
        let corner = triangles[rng.below(triangles.len())].corners()[rng.below(3)];
        let mut dir =
            [0, 1, 2].map(|_| [0.0, 1e-9, -1e-13, 1e-6, 0.3][rng.below(5)] * rng.signed());
        dir[rng.below(3)] = 1.0;
        Ray::new(
            corner - estoc::glam::Vec3::from(dir) * (1 << rng.below(8)) as f32,
            dir,
        )
    };
    (0..2000).map(ray).collect()
}

#[test]
fn slacks_of_boxes_that_are_too_small_are_found() {
    for device in devices() {
        assert_eq!(wrong_answers(device), 0);
        for (constant, value) in [("BOX_ROUNDINGS", "0.0"), ("PARALLEL_SLACK", "0.0")] {
            let twin = Device::open_with(&device.info().name, &spoilt(constant, value)).unwrap();
            assert!(wrong_answers(&twin) > 0, "{constant}, {device:?}");
        }
    }
}
