//! Welding where memory is refused: an error, whichever request it is.
#![allow(unsafe_code, reason = "a global allocator cannot be written without")]

use estoc_core::open_edges;
use estoc_mesh::parts::closing_distance;
use estoc_mesh::{Mesh, MeshError};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, which refuses a large request of a thread and grants those before and after.
struct Refusing;

/// Requests from this size on are large.
const LARGE: usize = 1 << 12;

thread_local! {
    /// The number of large requests until one is refused.
    static GRANTED: Cell<usize> = const { Cell::new(usize::MAX) };
}

fn is_refused(size: usize) -> bool {
    if size < LARGE {
        return false;
    }
    let granted = GRANTED.get();
    GRANTED.set(granted.wrapping_sub(1));
    granted == 0
}

// SAFETY: a request is refused, as any may be, or forwarded to `System` unchanged; nothing allocates,
// unwinds or touches the memory.
unsafe impl GlobalAlloc for Refusing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match is_refused(layout.size()) {
            true => std::ptr::null_mut(),
            // SAFETY: the caller upholds the contract of `alloc`, which is the same.
            false => unsafe { System.alloc(layout) },
        }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        match is_refused(size) {
            true => std::ptr::null_mut(),
            // SAFETY: `memory` came from `System` with this layout, as the caller guarantees.
            false => unsafe { System.realloc(memory, layout, size) },
        }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: `memory` came from `System` with this layout, as the caller guarantees.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Refusing = Refusing;

/// Calls a function until no request is refused, one more granted each time; returns how often.
fn refused<T>(weld: impl Fn() -> Result<T, MeshError>) -> (usize, T) {
    for granted in 0.. {
        GRANTED.set(granted);
        let result = weld();
        let was_refused = GRANTED.replace(usize::MAX) > granted;
        match result {
            Ok(result) if !was_refused => return (granted, result),
            Err(MeshError::NoMemory { .. }) if was_refused => {}
            Ok(_) => panic!("request {granted} was refused in vain"),
            Err(error) => panic!("request {granted}: {error}"),
        }
    }
    unreachable!()
}

#[test]
fn every_refused_request_is_an_error() {
    // Triangles with a back, of which one corner has noise.
    let (mut positions, mut faces) = (Vec::new(), Vec::new());
    for i in 0..625 {
        let (x, y) = ((i % 25) as f32, (i / 25) as f32);
        positions.extend([
            [x, y, 0.0],
            [x, y, 1e-7],
            [x + 1.0, y, 0.0],
            [x, y + 1.0, 0.0],
        ]);
        faces.extend([[0, 2, 3], [1, 3, 2]].map(|face| face.map(|corner| 4 * i + corner)));
    }
    let mesh = Mesh::new(positions, faces).unwrap();
    let edge = open_edges(mesh.triangles())[0];
    let (count, distance) = refused(|| closing_distance(&mesh, edge, &|| Ok(())));
    assert_eq!(distance, Some(f64::from(1e-7f32)));
    assert!(count > 100, "{count}");
    // Nothing is that near, so that no mesh is made.
    let (count, welded) = refused(|| mesh.clone().welded(1e-9));
    assert_eq!(welded.report().weld.unwrap().clusters, 0);
    assert!(count > 4, "{count}");
}
