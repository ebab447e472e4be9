//! The memory that a build holds, as measured by the allocator; and cancelled builds, which end and
//! hold nothing whenever they are cancelled.
//!
//! Meshes are so small that no array gets its own memory pages, which the allocator would not see:
//! below 4 MiB, that is below 104 thousand triangles.
#![allow(unsafe_code, reason = "a global allocator cannot be written without")]

mod common;

use common::{Rng, Shape};
use estoc_bvh::{BuildError, Bvh, BvhBuilder, Layout, Quality};
use estoc_core::{CancelToken, Progress};
use estoc_mesh::Mesh;
use std::alloc::{GlobalAlloc, Layout as Request, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The system's allocator, counting the bytes held.
struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

fn take(bytes: usize) {
    let held = HELD.fetch_add(bytes, Ordering::SeqCst) + bytes;
    MOST.fetch_max(held, Ordering::SeqCst);
}

// SAFETY: every call is forwarded to `System` unchanged; counting does not allocate, unwind or
// touch the memory.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Request) -> *mut u8 {
        take(layout.size());
        // SAFETY: the caller upholds the contract of `alloc`, which is the same.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Request) -> *mut u8 {
        take(layout.size());
        // SAFETY: the caller upholds the contract of `alloc_zeroed`, which is the same.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Request, size: usize) -> *mut u8 {
        match size > layout.size() {
            // Both blocks may exist while the content is copied.
            true => take(size),
            false => _ = HELD.fetch_sub(layout.size() - size, Ordering::SeqCst),
        }
        // SAFETY: `memory` came from `System` with this layout, as the caller guarantees.
        let moved = unsafe { System.realloc(memory, layout, size) };
        if size > layout.size() {
            HELD.fetch_sub(layout.size(), Ordering::SeqCst);
        }
        moved
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Request) {
        HELD.fetch_sub(layout.size(), Ordering::SeqCst);
        // SAFETY: `memory` came from `System` with this layout, as the caller guarantees.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Serialises the tests, which share the counter.
static ALONE: Mutex<()> = Mutex::new(());

/// Returns the peak of bytes held during the work beyond those before, and its result.
fn most_held<A>(work: impl FnOnce() -> A) -> (usize, A) {
    let before = HELD.load(Ordering::SeqCst);
    MOST.store(before, Ordering::SeqCst);
    let answer = work();
    (MOST.load(Ordering::SeqCst) - before, answer)
}

fn meshes() -> [(&'static str, Mesh); 3] {
    let mut rng = Rng::new(11);
    [
        ("sphere", Shape::sphere(1.0, 300, 160, false).mesh()),
        ("soup", Shape::random(100_000, 0.02, &mut rng).mesh()),
        ("large soup", Shape::random(100_000, 0.5, &mut rng).mesh()),
    ]
}

#[test]
fn a_build_holds_little_more_than_the_tree() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    for (name, mesh) in meshes() {
        // Starts the threads, which keep some memory.
        drop(Bvh::build(&mesh));
        let (most, tree) = most_held(|| Bvh::build(&mesh));
        let bytes = tree.stats().bytes;
        let arrays = size_of_val(mesh.positions()) + size_of_val(mesh.indices());
        let share = most as f64 / bytes as f64;
        println!("{name}: {most} bytes while built, {share:.2} of the tree; mesh {arrays}");
        assert!(
            most as f64 <= 1.6 * bytes as f64 + arrays as f64,
            "{name}: {most} bytes for a tree of {bytes}"
        );
        assert!(share < 1.8, "{name}: {share}");
    }
}

#[test]
fn a_budget_holds_or_is_refused_before_anything_is_taken() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    for (name, mesh) in meshes() {
        for layout in Layout::ALL {
            let builder = Bvh::builder().layout(layout);
            a_budget_holds(&format!("{name}, {layout}"), &mesh, builder);
        }
    }
}

fn a_budget_holds(name: &str, mesh: &Mesh, builder: BvhBuilder<'_>) {
    let build = |bytes| builder.memory_budget(bytes).build(mesh);
    let (most, refused) = most_held(|| build(1 << 20));
    let error = refused.unwrap_err();
    assert!(most < 1 << 16, "{name}: {most} bytes before it is refused");
    let BuildError::OverBudget { needed, given, .. } = error else {
        panic!("{name}: {error}");
    };
    assert!(given == 1 << 20 && needed > given, "{name}: {error}");
    // One byte less than reported is too little, and the reported size is enough.
    assert!(
        matches!(build(needed - 1), Err(e) if e == BuildError::OverBudget {
            triangles: mesh.triangle_count(), needed, given: needed - 1,
        })
    );
    let (most, built) = most_held(|| build(needed));
    let whole = builder.build(mesh).unwrap();
    assert_eq!(built.unwrap().stats(), whole.stats(), "{name}");
    assert!(
        most <= needed,
        "{name}: {most} bytes, and {needed} were said"
    );
}

/// For each method, also on meshes that make it need more than its estimate.
#[test]
fn no_quality_takes_more_than_its_budget() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut rng = Rng::new(12);
    let soup = Shape::random(40_000, 0.02, &mut rng).mesh();
    // Corners ever farther out, each of which makes a grid over the others useless.
    let mut corners = soup.positions().to_vec();
    for (corner, exponent) in corners.iter_mut().zip(1..30) {
        *corner *= 10f32.powi(exponent);
    }
    let outliers = Mesh::try_new(corners, soup.indices().iter().copied()).unwrap();
    let sparse = Shape::random(40_000, 1e-6, &mut rng).mesh();
    let (mut built, mut refused) = (0, 0);
    for (name, mesh) in [
        ("soup", &soup),
        ("outliers", &outliers),
        ("sparse", &sparse),
    ] {
        for quality in [Quality::Fast, Quality::Balanced, Quality::Best] {
            for budget in (1..=16).map(|half| half << 19) {
                let builder = Bvh::builder().quality(quality).memory_budget(budget);
                let (most, tree) = most_held(|| builder.build(mesh));
                match tree {
                    Ok(_) => built += 1,
                    Err(BuildError::OverBudget { .. }) => refused += 1,
                    Err(error) => panic!("{name}, {quality:?}: {error}"),
                }
                assert!(
                    most <= budget,
                    "{name}, {quality:?}: {most} bytes of {budget}"
                );
            }
        }
    }
    assert!(built > 30 && refused > 30, "{built} {refused}");
}

/// Returns the bytes that a build of this layout needs, from its error.
fn needed(mesh: &Mesh, layout: Layout) -> usize {
    let builder = Bvh::builder().layout(layout).memory_budget(0);
    match builder.build(mesh) {
        Err(BuildError::OverBudget { needed, .. }) => needed,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_budget_chooses_the_layout_that_it_bears() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mesh = Shape::random(30_000, 0.1, &mut Rng::new(15)).mesh();
    let [fast, compact] = Layout::ALL.map(|layout| needed(&mesh, layout));
    assert_eq!(
        [fast, compact],
        [108, 72].map(|each| each * 30_000 + (1 << 20))
    );
    let build = |bytes| Bvh::builder().memory_budget(bytes).build(&mesh);
    let layout = |bytes| build(bytes).unwrap().stats().layout;
    assert_eq!(layout(fast), Layout::Fast);
    assert_eq!(layout(fast - 1), Layout::Compact);
    assert_eq!(layout(compact), Layout::Compact);
    let refused = BuildError::OverBudget {
        triangles: 30_000,
        needed: compact,
        given: compact - 1,
    };
    assert_eq!(build(compact - 1).unwrap_err(), refused);
    // A layout that was set is not changed.
    let fast_only = Bvh::builder().layout(Layout::Fast).memory_budget(fast - 1);
    assert!(fast_only.build(&mesh).is_err());
}

#[test]
fn cancelling_at_any_moment_ends_the_build_and_leaves_nothing() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mesh = Shape::random(10_000, 0.05, &mut Rng::new(12)).mesh();
    let start = Instant::now();
    let whole = Bvh::build(&mesh).stats();
    let time = start.elapsed();
    let mut rng = Rng::new(13);
    let (mut cancelled, mut finished) = (0, 0);
    let mut held = 0;
    for case in 0..1000 {
        let token = CancelToken::new();
        let wait = time.mul_f64(f64::from(rng.between(0.0, 1.2)));
        let built = std::thread::scope(|scope| {
            scope.spawn(|| {
                let start = Instant::now();
                while start.elapsed() < wait {
                    std::thread::sleep(Duration::from_micros(20));
                }
                token.cancel();
            });
            Bvh::builder().cancel(&token).build(&mesh)
        });
        match built {
            Ok(tree) => {
                finished += 1;
                assert_eq!(tree.stats(), whole, "case {case}");
            }
            Err(error) => {
                cancelled += 1;
                assert_eq!(error, BuildError::Cancelled, "case {case}");
            }
        }
        if case == 100 {
            held = HELD.load(Ordering::SeqCst);
        }
    }
    println!("{cancelled} cancelled, {finished} finished");
    // A leaked tree would be half a million bytes. Threads keep a little.
    let more = HELD.load(Ordering::SeqCst).saturating_sub(held);
    assert!(more < 1 << 17, "{more} bytes more than after 100 builds");
    assert!(cancelled > 0, "the token was never seen");
}

#[test]
fn progress_grows_to_the_end() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    for count in [0, 1, 100, 50_000] {
        let mesh = Shape::random(count, 0.05, &mut Rng::new(14)).mesh();
        let told = Mutex::new(Vec::new());
        let progress = |now: Progress| {
            assert_eq!(now.total, Some(count as u64));
            told.lock().unwrap().push(now.done);
        };
        Bvh::builder().progress(&progress).build(&mesh).unwrap();
        let told = told.into_inner().unwrap();
        assert!(told.is_sorted(), "{told:?}");
        assert_eq!(told.last().copied().unwrap_or(0), count as u64);
        assert!(told.len() >= count.div_ceil(10_000), "{told:?}");
    }
}
