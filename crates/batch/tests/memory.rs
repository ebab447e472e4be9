//! Streams use bounded memory and batches allocate nothing per ray, as counted by the allocator.
#![allow(unsafe_code, reason = "a global allocator cannot be written without")]

use estoc_batch::Batch;
use estoc_core::exact::PreparedRay;
use estoc_core::{
    Any, Collector, Engine, PrimId, Queue, Ray, Technique, TechniqueCounts, Triangle,
};
use estoc_testkit::conformance::Effort;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The system's allocator, counting the bytes held and the requests of all threads.
struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);
static REQUESTS: AtomicUsize = AtomicUsize::new(0);

fn took(bytes: usize) {
    REQUESTS.fetch_add(1, Ordering::Relaxed);
    let held = HELD.fetch_add(bytes, Ordering::Relaxed) + bytes;
    MOST.fetch_max(held, Ordering::Relaxed);
}

// SAFETY: every call is forwarded to `System` unchanged (growing is left to the provided method,
// which allocates and frees); counting does not allocate, unwind or touch the memory.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        took(layout.size());
        // SAFETY: the caller upholds the contract of `alloc`, which is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: `memory` came from `System` with this layout, as the caller guarantees.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Serialises the tests: the allocator counts for all threads.
static TURN: Mutex<()> = Mutex::new(());

/// Returns the peak of bytes held beyond those before, and the number of requests.
fn counted(work: impl FnOnce()) -> (usize, usize) {
    let now = |of: &AtomicUsize| of.load(Ordering::Relaxed);
    let (held, requests) = (now(&HELD), now(&REQUESTS));
    MOST.store(held, Ordering::Relaxed);
    work();
    (now(&MOST).saturating_sub(held), now(&REQUESTS) - requests)
}

/// One triangle that all rays towards +z from below hit, and no other rays.
struct Plate(Triangle);

impl Plate {
    fn new() -> Self {
        Plate(Triangle::new(
            [-9.0, -9.0, 0.0],
            [9.0, -9.0, 0.0],
            [0.0, 9.0, 0.0],
        ))
    }
}

impl Engine for Plate {
    type Primitive = Triangle;

    fn primitive_count(&self) -> usize {
        1
    }

    fn primitive(&self, prim: PrimId) -> Option<Triangle> {
        (prim.index() == 0).then_some(self.0)
    }

    fn is_closed(&self) -> bool {
        false
    }

    fn visit(&self, _: &PreparedRay<'_>, collector: &mut Collector<'_>) {
        let _ = collector.offer(PrimId::from_index(0).unwrap(), &self.0);
    }

    /// Reports a miss at once for rays towards -z.
    fn visit_many(&self, technique: Technique, queue: &mut Queue<'_>) -> TechniqueCounts {
        let mut rays = 0;
        while let Some((place, ray)) = queue.next() {
            rays += 1;
            match ray.ray().dir.z > 0.0 {
                true => queue.only(place, ray, PrimId::from_index(0).unwrap(), &self.0),
                false => queue.miss(place),
            }
        }
        TechniqueCounts::of(technique, rays)
    }

    fn query_bytes(&self) -> usize {
        64
    }
}

/// Returns a ray; one in 64 hits.
fn ray(number: u64) -> Ray {
    let z = if number % 64 == 5 { 1.0 } else { -1.0 };
    Ray::new([0.0, 0.0, -1.0], [0.0, 0.0, z])
}

/// More rays than fit into memory; with `ESTOC_LONG=1`, 2^31.
#[test]
fn memory_does_not_grow_with_the_number_of_rays() {
    let _turn = TURN.lock();
    let many: u64 = if Effort::is_long() { 1 << 31 } else { 1 << 24 };
    const BLOCK: u64 = 4096;
    let engine = Plate::new();
    for threads in [1, 2] {
        for rays in [1 << 16, many] {
            // Rays that the caller's thread has read and got no answers for yet.
            let (read, most_read) = (Cell::new(0u64), Cell::new(0u64));
            let source = (0..rays).map(|number| {
                read.set(read.get() + 1);
                most_read.set(most_read.get().max(read.get()));
                ray(number)
            });
            let (mut hits, mut delivered) = (0, 0);
            let (bytes, requests) = counted(|| {
                let batch = Batch::new().threads(threads);
                let ended = batch.stream(source).ask(&engine, Any, |_, any| {
                    hits += any.iter().filter(|&&any| any).count() as u64;
                    read.set(read.get() - any.len() as u64);
                    delivered += any.len() as u64;
                    ControlFlow::<()>::Continue(())
                });
                assert_eq!(ended.unwrap().continue_value().unwrap().rays, rays);
            });
            assert_eq!((hits, delivered), (rays / 64, rays));
            let blocks = 2 * threads as u64 + 2;
            assert!(most_read.get() <= blocks * BLOCK, "{}", most_read.get());
            // A ray and an answer take 33 bytes; a vector may have grown to twice its need.
            let bound = 2 * 33 * blocks * BLOCK + (1 << 18);
            let what = format!("{rays} rays in {threads} threads");
            assert!(bytes as u64 <= bound, "{what}: {bytes} bytes");
            let few = 16 * rays / BLOCK + 1000;
            assert!((requests as u64) < few, "{what}: {requests} requests");
            println!("{rays} rays, {threads} threads: at most {bytes} bytes, {requests} requests");
        }
    }
}

#[test]
fn batches_allocate_nothing_for_a_ray() {
    let _turn = TURN.lock();
    let engine = Plate::new();
    let rays: Vec<Ray> = (0..1 << 20).map(ray).collect();
    let mut any = vec![false; rays.len()];
    // Caches are detected once, and threads allocate on their own.
    Batch::new()
        .ask_into(&engine, Any, &rays, &mut any[..])
        .unwrap();
    for (threads, most) in [(1, 10), (3, 1000)] {
        for part in [100, 1 << 20] {
            let (bytes, requests) = counted(|| {
                let batch = Batch::new().threads(threads);
                batch
                    .ask_into(&engine, Any, &rays[..part], &mut any[..part])
                    .unwrap();
            });
            assert!(requests < most, "{threads}: {requests} requests");
            assert!(bytes < 1 << 20, "{threads}: {bytes} bytes");
        }
    }
    assert_eq!(any.iter().filter(|&&any| any).count(), 1 << 14);
}
