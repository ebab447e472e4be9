//! All hits of many rays, packed.

use estoc_core::Hit;

/// All hits of many rays in compressed rows: those of ray `i` are
/// `hits[offsets[i]..offsets[i + 1]]`, which is [`HitRows::row`].
#[derive(Clone, Debug, PartialEq)]
pub struct HitRows {
    /// Where each ray's hits begin, and where the last one's end: one more than there are
    /// rays.
    pub offsets: Vec<usize>,
    /// The hits, ray after ray, each ray's in its order.
    pub hits: Vec<Hit>,
}

impl HitRows {
    /// How many rays there are.
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Whether there are no rays.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The hits of one ray, in its order; `None` when there is no such ray.
    pub fn row(&self, ray: usize) -> Option<&[Hit]> {
        let (start, end) = (*self.offsets.get(ray)?, *self.offsets.get(ray + 1)?);
        self.hits.get(start..end)
    }

    /// The hits of each ray, ray after ray.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[Hit]> {
        (0..self.len()).map(|ray| self.row(ray).unwrap_or_default())
    }
}

impl Default for HitRows {
    /// The rows of no rays.
    fn default() -> Self {
        HitRows {
            offsets: vec![0],
            hits: Vec::new(),
        }
    }
}
