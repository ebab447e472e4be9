//! Temporary.
use estoc::{Batch, Bvh};
use estoc_gpu::{Device, GpuBatch, GpuBvh};
use std::time::Instant;
fn main() {
    for info in Device::all() {
        println!("{info}");
    }
    let n: usize = std::env::args()
        .nth(2)
        .and_then(|n| n.parse().ok())
        .unwrap_or(20000);
    let dev = Device::open(&std::env::args().nth(1).unwrap_or_default()).unwrap();
    for name in std::env::args().skip(3) {
        let mesh = estoc::Mesh::load(&name).unwrap();
        let bvh = Bvh::build(&mesh);
        let t = Instant::now();
        let gpu = GpuBvh::new(&bvh, &dev).unwrap();
        println!("{name}: made in {:?}", t.elapsed());
        let _ = &gpu;
        let b = bvh.bounds();
        let mut s = 12345u64;
        let mut r = || {
            s ^= s << 13;
            s ^= s >> 7;
            s ^= s << 17;
            (s >> 40) as f32 / (1u64 << 24) as f32
        };
        let rays: Vec<estoc::Ray> = (0..n)
            .map(|_| {
                let mut p = || {
                    let p: Vec<f32> = (0..3)
                        .map(|a| b.min()[a] + (b.max()[a] - b.min()[a]) * (r() * 1.5 - 0.25))
                        .collect();
                    [p[0], p[1], p[2]]
                };
                let (o, q) = (p(), p());
                estoc::Ray::new(o, [q[0] - o[0], q[1] - o[1], q[2] - o[2]])
            })
            .collect();
        let t = Instant::now();
        let batch = GpuBatch::new(&gpu).set(|b| b.chunk_size(10000));
        let (hits, report) = batch.run(|b, e| b.closest_hits(e, &rays)).unwrap();
        println!(
            "closest {:?} {:?} {:.4} %",
            t.elapsed(),
            report,
            100.0 * report.doubts as f64 / report.rays as f64
        );
        let cpu = Batch::new().closest_hits(&bvh, &rays).unwrap();
        println!(
            "differ {} of {} hits",
            hits.iter().zip(&cpu).filter(|(a, b)| a != b).count(),
            cpu.iter().flatten().count()
        );
        let (any, report) = batch.run(|b, e| b.any_hits(e, &rays)).unwrap();
        println!(
            "any {:.4} %",
            100.0 * report.doubts as f64 / report.rays as f64
        );
        println!(
            "differ {}",
            any.iter()
                .zip(&Batch::new().any_hits(&bvh, &rays).unwrap())
                .filter(|(a, b)| a != b)
                .count()
        );
        let (any, report) = batch.run(|b, e| b.count_hits(e, &rays)).unwrap();
        println!(
            "count {:.4} %",
            100.0 * report.doubts as f64 / report.rays as f64
        );
        println!(
            "differ {}",
            any.iter()
                .zip(&Batch::new().count_hits(&bvh, &rays).unwrap())
                .filter(|(a, b)| a != b)
                .count()
        );
        let (any, report) = batch.run(|b, e| b.all_hits(e, &rays)).unwrap();
        println!(
            "all {:.4} %",
            100.0 * report.doubts as f64 / report.rays as f64
        );
        println!(
            "differ {}",
            any != Batch::new().all_hits(&bvh, &rays).unwrap()
        );
    }
}
