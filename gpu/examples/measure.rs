//! Measures a device beside the processor on the same rays: whole batches, the kernel alone, its twin without bounds, and
//! the copies. Answers are compared before anything is measured.
//!
//! `cargo run --release --example measure -- DEVICE RAYS MESH...`, where a mesh is a file or `demo:NAME?n=COUNT`.

use estoc::demo::DemoSpec;
use estoc::glam::Vec3;
use estoc::{Batch, Bvh, Mesh, Ray};
use estoc_core::Closest;
use estoc_gpu::{Device, GpuBatch, GpuBvh, GpuEngine, GpuError, KERNEL, Kernel, RayWords};
use std::error::Error;
use std::sync::Mutex;
use std::time::Instant;

/// Each time is the least of this many.
const ROUNDS: usize = 3;
/// The rays on which the kernel alone is measured, and how often it runs on them.
const ALONE: usize = 1 << 20;
const REPEATS: u32 = 10;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let (Some(name), Some(count)) = (words.next(), words.next()) else {
        return Err("usage: measure DEVICE RAYS MESH...".into());
    };
    let count: usize = count.parse()?;
    let device = Device::open(&name)?;
    let twin = Device::open_with(&name, &without_bounds())?;
    println!(
        "{}; {} threads; {count} rays\n",
        device.info(),
        std::thread::available_parallelism()?
    );
    println!(
        "| rays | processor, M/s | device, M/s | times | kernel alone, G/s | times | price of bounds | doubts, % |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    for mesh in words {
        let bvh = Bvh::build(&match mesh.strip_prefix("demo:") {
            Some(spec) => spec.parse::<DemoSpec>()?.mesh(),
            None => Mesh::load(&mesh)?,
        });
        for (kind, rays) in [
            ("random", random(&bvh, count)),
            ("primary", primary(&bvh, count)),
        ] {
            measure(&format!("{mesh}, {kind}"), &bvh, &rays, [&device, &twin])?;
        }
    }
    Ok(())
}

/// Returns the kernel with all bounds of triangles and slacks of boxes zero, as others trace rays.
fn without_bounds() -> String {
    let mut kernel = KERNEL.to_owned();
    for constant in ["FLUSHED", "BOX_ROUNDINGS", "ROUNDINGS", "ROUNDINGS_OF_LAST"] {
        let from = format!("const {constant} = ");
        if let Some((before, after)) = kernel.split_once(&from)
            && let Some((_, after)) = after.split_once(';')
        {
            kernel = format!("{before}{from}0.0;{after}");
        }
    }
    kernel
}

/// Numbers between 0 and 1 from a seed.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1u64 << 24) as f32
    }

    fn point(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }
}

/// Returns rays between points of a box half as large again as that of the mesh.
fn random(bvh: &Bvh, count: usize) -> Vec<Ray> {
    let (low, size) = (bvh.bounds().min(), bvh.bounds().max() - bvh.bounds().min());
    let mut numbers = Numbers(1);
    let mut point = || low + size * (numbers.point() * 1.5 - 0.25);
    (0..count)
        .map(|_| {
            let (from, to) = (point(), point());
            Ray::new(from, to - from)
        })
        .collect()
}

/// Returns the rays of a square picture of the whole mesh, of at most 4096 by 4096 pixels, block by block of 8 by 8.
fn primary(bvh: &Bvh, count: usize) -> Vec<Ray> {
    let side = (count as f64).sqrt().min(4096.0) as usize / 8 * 8;
    let (low, high) = (bvh.bounds().min(), bvh.bounds().max());
    let (middle, size) = ((low + high) / 2.0, (high - low).length());
    let eye = middle + Vec3::new(0.5, 0.6, 0.7) * size;
    let ahead = (middle - eye).normalize();
    let right = ahead.cross(Vec3::Y).normalize();
    let up = right.cross(ahead);
    (0..side * side)
        .map(|i| {
            let (block, pixel) = (i / 64, i % 64);
            let x = block % (side / 8) * 8 + pixel % 8;
            let y = block / (side / 8) * 8 + pixel / 8;
            let across = |place: usize| (place as f32 + 0.5) / side as f32 - 0.5;
            Ray::new(eye, ahead + right * across(x) + up * across(y))
        })
        .collect()
}

/// Keeps the words of rays, and has no answers.
#[derive(Default)]
struct Recorder(Mutex<Vec<RayWords>>);

impl Kernel for Recorder {
    fn run(&self, rays: &RayWords, _: &mut dyn FnMut(&[u32])) -> Result<(), GpuError> {
        if let Ok(mut all) = self.0.lock() {
            all.push(RayWords {
                words: rays.words.clone(),
                ..*rays
            });
        }
        let reason = "only the words are wanted".to_owned();
        Err(GpuError::Failed { reason })
    }
}

/// Returns the least time of some rounds, in seconds.
fn least<E>(mut work: impl FnMut() -> Result<(), E>) -> Result<f64, E> {
    let mut least = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        work()?;
        least = least.min(start.elapsed().as_secs_f64());
    }
    Ok(least)
}

fn measure(
    name: &str,
    bvh: &Bvh,
    rays: &[Ray],
    [device, twin]: [&Device; 2],
) -> Result<(), Box<dyn Error>> {
    let [gpu, without] = [GpuBvh::new(bvh, device)?, GpuBvh::new(bvh, twin)?];
    let batch = GpuBatch::new(&gpu);
    let plain = Batch::new();
    let (hits, closest) = batch.run(|batch, engine| batch.closest_hits(engine, rays))?;
    if hits != plain.closest_hits(bvh, rays)? {
        return Err(format!("{name}: first hits differ").into());
    }
    let (any, report) = batch.run(|batch, engine| batch.any_hits(engine, rays))?;
    if any != plain.any_hits(bvh, rays)? {
        return Err(format!("{name}: any hits differ").into());
    }
    drop((hits, any));

    let recorder = Recorder::default();
    let some = &rays[..rays.len().min(ALONE)];
    let engine = GpuEngine::new(bvh, gpu.frame(), &recorder, false);
    let _ = plain
        .threads(1)
        .chunk_size(ALONE)
        .ask(&engine, Closest, some);
    let words = recorder.0.into_inner()?.pop().ok_or("no rays")?;
    let alone = |gpu: &GpuBvh<'_>, wanted, repeats: u32| {
        let words = RayWords {
            words: words.words.clone(),
            wanted,
            ..words
        };
        gpu.device().set_repeats(repeats);
        let took = least(|| gpu.run(&words, &mut |_| {}));
        gpu.device().set_repeats(1);
        took
    };
    let copies = alone(&gpu, words.wanted, 0)?;
    let kernel = |gpu: &GpuBvh<'_>, wanted| -> Result<f64, GpuError> {
        let more = alone(gpu, wanted, REPEATS + 1)? - alone(gpu, wanted, 1)?;
        Ok(some.len() as f64 / (more / f64::from(REPEATS)))
    };
    let rate = |seconds: f64| rays.len() as f64 / seconds;
    let row = |what: &str, cpu: f64, device: f64, kernel: f64, twin: f64, doubts: u64| {
        println!(
            "| {name}, {what} | {:.1} | {:.1} | {:.2} | {:.4} | {:.1} | {:.2} | {:.4} |",
            cpu / 1e6,
            device / 1e6,
            device / cpu,
            kernel / 1e9,
            kernel / cpu,
            twin / kernel,
            100.0 * doubts as f64 / rays.len() as f64,
        );
    };
    let cpu = rate(least(|| plain.closest_hits(bvh, rays).map(drop))?);
    let whole = rate(least(|| batch.closest_hits(rays).map(drop))?);
    let [bounded, bare] = [kernel(&gpu, words.wanted)?, kernel(&without, words.wanted)?];
    row("first hits", cpu, whole, bounded, bare, closest.doubts);
    let cpu = rate(least(|| plain.any_hits(bvh, rays).map(drop))?);
    let whole = rate(least(|| batch.any_hits(rays).map(drop))?);
    let wanted = estoc_gpu::Wanted::Any;
    let [bounded, bare] = [kernel(&gpu, wanted)?, kernel(&without, wanted)?];
    row("any hits", cpu, whole, bounded, bare, report.doubts);
    let bytes = 4.0 * (words.words.len() + some.len() * words.wanted.answer_words()) as f64;
    println!(
        "| {name}, copies alone | | {:.1} | | | | | {:.2} GB/s |",
        some.len() as f64 / copies / 1e6,
        bytes / copies / 1e9
    );
    Ok(())
}
