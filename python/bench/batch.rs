//! The batch that `rust_batch.py` compares with: `batch TREE RAYS THREADS` reads a tree file and rays of
//! six native `f32`s, and for each line of its input answers all rays once and prints the seconds that took
//! and the number of hits.

use estoc::io::TreeLoader;
use estoc::{Batch, Ray};
use std::error::Error;
use std::io::BufRead;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [tree, rays, threads] = &arguments[..] else {
        return Err("wanted are a tree file, a file of rays and a number of threads".into());
    };
    let file = TreeLoader::new().load(tree)?;
    let bytes = std::fs::read(rays)?;
    let numbers: Vec<f32> = (bytes.as_chunks::<4>().0.iter())
        .map(|bytes| f32::from_ne_bytes(*bytes))
        .collect();
    let rays: Vec<Ray> = (numbers.as_chunks::<6>().0.iter())
        .map(|&[a, b, c, d, e, f]| Ray::new([a, b, c], [d, e, f]))
        .collect();
    let threads = threads.parse()?;
    for line in std::io::stdin().lock().lines() {
        line?;
        let started = Instant::now();
        let hits = Batch::new()
            .threads(threads)
            .closest_hits(file.bvh(), &rays)?;
        let seconds = started.elapsed().as_secs_f64();
        println!("{seconds} {}", hits.iter().flatten().count());
    }
    Ok(())
}
