//! Memory for the hits of one ray.

use crate::collect::{Primitive, RayTest};
use crate::exact::PreparedRay;
use crate::shapes::{RayKind, Triangle};
use alloc::vec::Vec;
use core::ops::ControlFlow;

/// The hits of one ray, in memory that can be reused for the next ray.
#[derive(Clone, Debug)]
pub struct HitBuffer<P: Primitive = Triangle> {
    pub(crate) touches: Vec<P::Touch>,
    hits: Vec<P::Hit>,
    /// Whether memory that cannot be had is told, instead of ending the process.
    tells_no_memory: bool,
    has_no_memory: bool,
}

impl<P: Primitive> Default for HitBuffer<P> {
    fn default() -> Self {
        HitBuffer::new()
    }
}

impl<P: Primitive> HitBuffer<P> {
    /// Returns an empty buffer, which grows to the largest number of hits of one ray.
    pub const fn new() -> Self {
        HitBuffer {
            touches: Vec::new(),
            hits: Vec::new(),
            tells_no_memory: false,
            has_no_memory: false,
        }
    }

    /// Returns an empty buffer of which [`has_no_memory`](Self::has_no_memory) tells.
    pub(crate) fn telling() -> Self {
        HitBuffer {
            tells_no_memory: true,
            ..HitBuffer::new()
        }
    }

    /// Returns whether there was no memory for all hits of the ray; then there are none.
    pub(crate) fn has_no_memory(&self) -> bool {
        self.has_no_memory
    }

    /// Adds a hit. `Break` means that there is no memory for it.
    #[inline(always)]
    pub(crate) fn keep(&mut self, touch: P::Touch) -> ControlFlow<()> {
        if self.touches.len() == self.touches.capacity() {
            self.grow(1)?;
        }
        self.touches.push(touch);
        ControlFlow::Continue(())
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, more: usize) -> ControlFlow<()> {
        if self.tells_no_memory {
            if !leaves_room::<P::Touch>(self.touches.capacity())
                || self.touches.try_reserve(more).is_err()
            {
                self.has_no_memory = true;
                return ControlFlow::Break(());
            }
        } else {
            self.touches.reserve(more);
        }
        ControlFlow::Continue(())
    }

    /// Returns the hits of the last query, in order along the ray.
    pub fn hits(&self) -> &[P::Hit] {
        &self.hits
    }

    pub(crate) fn clear(&mut self) {
        self.touches.clear();
        self.hits.clear();
        self.has_no_memory = false;
    }

    pub(crate) fn into_hits(self) -> Vec<P::Hit> {
        self.hits
    }

    pub(crate) fn round<R: RayKind>(&mut self, ray: &PreparedRay<'_, R>)
    where
        P: RayTest<R>,
    {
        if self.tells_no_memory {
            self.has_no_memory |= self.hits.try_reserve(self.touches.len()).is_err();
            if self.has_no_memory {
                return;
            }
        }
        self.hits
            .extend(self.touches.iter().map(|touch| P::hit(ray, touch)));
    }
}

/// Returns whether a list of this capacity can grow and leave memory for small allocations, whose
/// failure would end the process. Allocates the memory and frees it.
fn leaves_room<T>(capacity: usize) -> bool {
    const BESIDES: usize = 8 << 20;
    const SMALL: usize = 1 << 18;
    let bytes = capacity.saturating_mul(2 * size_of::<T>());
    if bytes <= SMALL {
        return true;
    }
    let mut probe: Vec<u8> = Vec::new();
    let asked = probe.try_reserve_exact(bytes.saturating_add(BESIDES));
    // The compiler would remove the allocation if its memory were never used.
    core::hint::black_box(&mut probe);
    asked.is_ok()
}
