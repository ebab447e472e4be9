//! The plan of a batch, chosen before it starts.

mod reasons;

use crate::cache_sizes::CacheSizes;
use crate::coherence::{Coherence, CoherenceSample, GROUP};
use crate::scanline_tiles::TILE_ROWS;
use estoc_core::Technique;

/// The inputs of a [`Plan`]. Equal facts make equal plans.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct PlanFacts {
    /// Whether a query ends at a ray's first hit. Only then can coherent rays be traced together.
    pub ends_at_first_hit: bool,
    /// Whether any hit answers a query. Only then can packets skip triangles.
    #[cfg_attr(feature = "serde", serde(default))]
    pub ends_at_any_hit: bool,
    /// Whether a ray may have any number of answers.
    pub has_rows: bool,
    /// Whether options, masks or a filter exclude hits, or may.
    pub has_options: bool,
    /// Whether these are only triangles to skip, such as those that rays leave; with options of each
    /// ray, as far as a few of them show.
    #[cfg_attr(feature = "serde", serde(default))]
    pub only_skips: bool,
    /// Whether engines answer the question only one by one, as those about what is near a point, about
    /// moving spheres and about regions.
    #[cfg_attr(feature = "serde", serde(default))]
    pub is_one_by_one: bool,
    /// Whether items at neighbouring positions find the same part of the tree, as points do.
    #[cfg_attr(feature = "serde", serde(default))]
    pub is_about_positions: bool,
    /// The number of rays.
    pub rays: usize,
    /// The number of threads available.
    pub threads: usize,
    /// The number of bytes that queries read
    /// ([`Engine::query_bytes`](estoc_core::Engine::query_bytes)); 0 for an engine that does not
    /// report it.
    pub tree_bytes: usize,
    /// The sizes of the caches.
    pub caches: CacheSizes,
    /// The coherence set by the caller.
    pub coherence: Coherence,
    /// The result of sampling, if the rays were sampled.
    pub sampled: CoherenceSample,
    /// The technique requested, if any.
    pub forced: Option<Technique>,
    /// The chunk size requested, if any; 1 for regions without a request.
    pub chunk_size: Option<usize>,
    /// Whether reordering is requested and permitted.
    pub reorder: bool,
}

/// The strategy of a batch. Choosing it costs nothing measurable, and no answer depends on it.
/// `Display` prints the reasons too, one per line.
///
/// ```
/// # mod estoc { pub use {estoc_batch::*, estoc_core::*}; pub mod engine { pub use estoc_core::*; } pub mod query { pub use estoc_core::*; } }
/// use estoc::{Batch, BruteForce, Ray, Triangle, engine::Technique, query::Closest};
/// let engine = BruteForce::new(vec![Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])]);
/// let rays = [Ray::new([0.25, 0.25, 1.0], [0.0, 0.0, -1.0])];
/// let plan = Batch::new().plan(&engine, Closest, &rays);
/// assert_eq!((plan.technique, plan.threads), (Technique::OneByOne, 1));
/// assert_eq!(plan.to_string(), "one by one: fewer than 16 rays\n\
///     chunks of 256 rays in the calling thread");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Plan {
    /// The technique by which the engine traces the rays of a chunk.
    pub technique: Technique,
    /// The number of rays that a thread takes at a time.
    pub chunk_size: usize,
    /// The number of threads; with 1 it is the caller's.
    pub threads: usize,
    /// Whether the rays of each chunk are reordered.
    pub reorder: bool,
    /// The largest number of scanlines in a tile, if rays come in scanlines and are grouped in
    /// tiles; 0 where they keep their order.
    #[cfg_attr(feature = "serde", serde(default))]
    pub tile_rows: usize,
    /// The facts that the plan was made from.
    pub facts: PlanFacts,
    why: Why,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
enum Why {
    OnlyTechnique,
    Forced,
    FewRays,
    FewClose,
    SizeNotTold,
    OneWay,
    Close,
    Skips,
    TreeHeld,
    TreeNotHeld,
}

/// Fewer rays are cast one by one: too few are in flight for any other technique.
const FEW_RAYS: usize = 16;
/// Fewer rays that start close together, but go in different directions, are cast one by one: bundles
/// and rays in flight take longer to set up than they save.
const FEW_CLOSE: usize = 256;
/// Fewer rays are not worth waking other threads.
const INLINE_BELOW: usize = 1024;
/// The same for an engine that does not report its size, whose rays may cost any amount.
const INLINE_BELOW_UNKNOWN: usize = 32;
/// Rays are cast one by one while the tree is at most this many times a core's private cache.
const ONE_BY_ONE_WITHIN: f64 = 1.0;
/// The same where single calls answer: for first hits, or any, of rays without options but a triangle to skip.
const SINGLE_CALLS_WITHIN: f64 = 3.0;
/// Packets are used if at least this fraction of the sampled groups has similar directions.
const PACKETS_FROM: f64 = 0.5;
/// Bundles are used if at least this fraction of the sampled groups starts close together.
const BUNDLES_FROM: f64 = 0.5;
/// The number of chunks per thread, so that the last ones even out differences in cost.
const CHUNKS_A_THREAD: usize = 16;
/// The smallest and largest chunk. Each chunk ends with ever fewer rays in flight, hence the
/// minimum; cancellation is checked between chunks, hence the maximum.
const CHUNK_SIZES: (usize, usize) = (512, 4096);
/// The same where each ray may have any number of answers.
const ROW_CHUNK_SIZES: (usize, usize) = (256, 1024);
/// The same for an engine that does not report its size.
const UNKNOWN_CHUNK_SIZES: (usize, usize) = (16, 256);
/// The smallest number of bands of scanlines per thread.
const BANDS_A_THREAD: usize = 4;
/// The largest number of rays that a packet has.
const PACKET: usize = 256;
/// Positions within a chunk are stored in 32 bits.
pub(crate) const LARGEST_CHUNK: usize = 1 << 30;
/// The smallest and largest window for reordering; each window is one chunk. In a larger window
/// more rays visit the same part of the tree, but each thread needs more memory: 68 bytes per ray.
const REORDER_WINDOWS: (usize, usize) = (1 << 17, 1 << 19);
/// The same for points that nobody asked to reorder: threads with work matter more than order.
const POINT_WINDOWS: (usize, usize) = (CHUNK_SIZES.0, 1 << 16);
/// The same where each point may have any number of answers.
const ROW_POINT_WINDOWS: (usize, usize) = (ROW_CHUNK_SIZES.0, 1 << 12);
/// Fewer points keep their order.
const SORT_POINTS_FROM: usize = 1 << 10;
/// The smallest number of windows per thread.
const WINDOWS_A_THREAD: usize = 4;

impl Plan {
    /// Chooses the strategy.
    pub(crate) fn new(facts: PlanFacts) -> Self {
        let threads = match facts.rays < Plan::inline_below(facts.tree_bytes, facts.chunk_size) {
            true => 1,
            false => facts.threads.max(1),
        };
        let (technique, why) = technique(&facts);
        let sorts_points = sorts_points(&facts);
        let reorder =
            (facts.reorder || sorts_points) && facts.rays > 1 && facts.chunk_size != Some(1);
        let tile_rows = match technique {
            Technique::Packets | Technique::Bundles if !reorder => tile_rows(&facts, threads),
            _ => 0,
        };
        let chunk_size = facts.chunk_size.unwrap_or_else(|| {
            let (least, most) = match reorder {
                true if sorts_points && facts.has_rows => ROW_POINT_WINDOWS,
                true if sorts_points => POINT_WINDOWS,
                true => REORDER_WINDOWS,
                false => chunk_sizes(facts.tree_bytes, facts.has_rows),
            };
            let even = match reorder {
                true if sorts_points && threads == 1 => most,
                true => facts.rays / threads.saturating_mul(WINDOWS_A_THREAD),
                false if threads == 1 => most,
                false => facts.rays / threads.saturating_mul(CHUNKS_A_THREAD),
            };
            // Whole groups, so that two threads never write to the same cache line, and no packet
            // is cut.
            let group = match technique {
                Technique::Packets => PACKET,
                _ => GROUP,
            };
            // Whole bands of scanlines, so that no tile is cut.
            let band = tile_rows * facts.sampled.scanline;
            match even.clamp(least, most) {
                size if band == 0 => size.next_multiple_of(group),
                size => (size / band).max(1) * band,
            }
        });
        Plan {
            technique,
            chunk_size: chunk_size.clamp(1, LARGEST_CHUNK),
            threads,
            reorder,
            tile_rows,
            facts,
            why,
        }
    }

    /// Returns the number of rays below which they are cast in the caller's thread.
    pub(crate) fn inline_below(tree_bytes: usize, chunk_size: Option<usize>) -> usize {
        let usual = match tree_bytes {
            0 => INLINE_BELOW_UNKNOWN,
            _ => INLINE_BELOW,
        };
        // With smaller chunks set by the caller, two chunks are enough to use several threads.
        chunk_size.map_or(usual, |size| size.saturating_add(1).min(usual))
    }

    /// Returns the number of rays in a block of a stream.
    pub(crate) fn block_size(tree_bytes: usize, has_rows: bool) -> usize {
        chunk_sizes(tree_bytes, has_rows).1
    }
}

/// Returns whether points are sorted without being asked to: neighbours find the same part of the
/// tree in the caches.
fn sorts_points(facts: &PlanFacts) -> bool {
    facts.is_about_positions
        && facts.rays >= SORT_POINTS_FROM
        && facts.tree_bytes > facts.caches.core
}

/// Returns the smallest and largest default chunk size.
fn chunk_sizes(tree_bytes: usize, has_rows: bool) -> (usize, usize) {
    match tree_bytes {
        0 => UNKNOWN_CHUNK_SIZES,
        _ if has_rows => ROW_CHUNK_SIZES,
        _ => CHUNK_SIZES,
    }
}

fn technique(facts: &PlanFacts) -> (Technique, Why) {
    let CoherenceSample {
        groups,
        close,
        one_way,
        ..
    } = facts.sampled;
    let (for_packets, for_bundles) = (for_packets(facts), for_bundles(facts));
    let (is_coherent, is_close) = match facts.coherence {
        Coherence::Coherent => (true, true),
        Coherence::Incoherent => (false, false),
        Coherence::Auto if groups == 0 => (false, false),
        Coherence::Auto => (
            one_way as f64 >= PACKETS_FROM * groups as f64,
            close as f64 >= BUNDLES_FROM * groups as f64,
        ),
    };
    match facts.forced {
        _ if facts.is_one_by_one => (Technique::OneByOne, Why::OnlyTechnique),
        Some(technique) => (technique, Why::Forced),
        None if facts.rays < FEW_RAYS => (Technique::OneByOne, Why::FewRays),
        None if facts.tree_bytes == 0 => (Technique::OneByOne, Why::SizeNotTold),
        None if for_packets && is_coherent => (Technique::Packets, Why::OneWay),
        None if for_bundles && is_close && facts.rays < FEW_CLOSE => {
            (Technique::OneByOne, Why::FewClose)
        }
        None if for_bundles && is_coherent => (Technique::Bundles, Why::Skips),
        None if for_bundles && is_close => (Technique::Bundles, Why::Close),
        None if facts.tree_bytes as f64 <= one_by_one_within(facts) * facts.caches.core as f64 => {
            (Technique::OneByOne, Why::TreeHeld)
        }
        None => (Technique::Interleaved, Why::TreeNotHeld),
    }
}

/// Returns how many times a core's private cache a tree may be for rays to be cast one by one.
fn one_by_one_within(facts: &PlanFacts) -> f64 {
    match for_bundles(facts) {
        true => SINGLE_CALLS_WITHIN,
        false => ONE_BY_ONE_WITHIN,
    }
}

/// Returns the largest number of scanlines in a tile, 0 for no tiles: as many as leave every thread
/// enough chunks.
fn tile_rows(facts: &PlanFacts, threads: usize) -> usize {
    let scanline = facts.sampled.scanline;
    if scanline == 0
        || facts.forced.is_some()
        || facts.has_rows
        || facts.has_options
        || !facts.ends_at_first_hit
    {
        return 0;
    }
    match facts.chunk_size {
        Some(size) if size >= 2 * scanline => TILE_ROWS.min(size / scanline),
        Some(_) => 0,
        None if threads == 1 => TILE_ROWS,
        None => {
            let rows = [TILE_ROWS, TILE_ROWS / 2, TILE_ROWS / 4].into_iter();
            let bands = |rows: usize| facts.rays / (rows * scanline);
            let mut enough =
                rows.filter(|&rows| bands(rows) >= threads.saturating_mul(BANDS_A_THREAD));
            enough.next().unwrap_or(0)
        }
    }
}

/// Returns whether packets can answer the query.
fn for_packets(facts: &PlanFacts) -> bool {
    facts.ends_at_first_hit && (!facts.has_options || facts.ends_at_any_hit && facts.only_skips)
}

/// Returns whether bundles can answer the query.
fn for_bundles(facts: &PlanFacts) -> bool {
    facts.ends_at_first_hit && (!facts.has_options || facts.only_skips)
}

#[cfg(test)]
mod tests;
