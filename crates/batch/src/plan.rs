//! How a batch goes about its rays, decided before it starts.

use crate::coherence::GROUP;
use crate::{Caches, Coherence, Sampled};
use estoc_core::Technique;
use std::fmt;

/// What is asked about each ray.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Query {
    /// The first hit.
    ClosestHits,
    /// Whether there is a hit.
    AnyHits,
    /// How many triangles are touched.
    CountHits,
    /// How often the surface is crossed.
    CountCrossings,
    /// Every triangle touched.
    AllHits,
    /// Every crossing of the surface.
    Crossings,
}

impl Query {
    /// All of them.
    pub const ALL: [Query; 6] = [
        Query::ClosestHits,
        Query::AnyHits,
        Query::CountHits,
        Query::CountCrossings,
        Query::AllHits,
        Query::Crossings,
    ];

    /// Whether a ray may have any number of answers.
    fn has_rows(self) -> bool {
        matches!(self, Query::AllHits | Query::Crossings)
    }

    /// Whether a ray is done with the first hit. Only that lets rays that go together turn back
    /// together.
    fn ends_at_first_hit(self) -> bool {
        matches!(self, Query::ClosestHits | Query::AnyHits)
    }
}

/// Whether the rays of very large batches are cast in another order than they come in, so that
/// rays that meet the same part of the tree meet it while caches hold it. Answers always come in
/// the order of the rays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reorder {
    /// Where it pays: many rays that go anywhere, in a tree far larger than the caches.
    #[default]
    Auto,
    /// Never.
    Never,
    /// Always, a window of rays at a time, but for rays with options of their own or that
    /// continue behind a triangle.
    Always,
}

/// What a [`Plan`] is made from. The same facts make the same plan.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PlanFacts {
    /// What is asked.
    pub query: Query,
    /// Whether options leave something out, or may.
    pub has_options: bool,
    /// How many rays there are.
    pub rays: usize,
    /// How many threads may work.
    pub threads: usize,
    /// How many bytes queries read from ([`RayQuery::query_bytes`](estoc_core::RayQuery)); 0 for
    /// an engine that does not tell.
    pub tree_bytes: usize,
    /// The caches to hold them.
    pub caches: Caches,
    /// What was said about the rays.
    pub coherence: Coherence,
    /// What a look at them found, if there was one.
    pub sampled: Sampled,
    /// The technique asked for.
    pub forced: Option<Technique>,
    /// The chunk size asked for.
    pub chunk_size: Option<usize>,
    /// What was said about the order, [`Reorder::Never`] where it has to stay.
    pub reorder: Reorder,
}

/// How a batch goes about its rays: a decision that costs nothing measurable and that no answer
/// depends on. It prints with its reasons, a line each.
///
/// ```
/// use estoc_batch::{Batch, Query};
/// use estoc_core::{BruteForce, Ray, Technique, Triangle};
/// let engine = BruteForce::new(vec![Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])]);
/// let rays = [Ray::new([0.25, 0.25, 1.0], [0.0, 0.0, -1.0])];
/// let plan = Batch::new().plan(&engine, &rays, Query::ClosestHits);
/// assert_eq!((plan.technique, plan.threads), (Technique::OneByOne, 1));
/// assert_eq!(plan.to_string(), "one by one: the engine tells nothing of its size\n\
///     chunks of 256 rays in this thread");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Plan {
    /// How the engine goes through the rays of a chunk.
    pub technique: Technique,
    /// How many rays a thread takes at a time.
    pub chunk_size: usize,
    /// How many threads work; with 1 it is the caller's.
    pub threads: usize,
    /// Whether the rays of each chunk are cast in another order.
    pub reorder: bool,
    /// What all this was decided from.
    pub facts: PlanFacts,
    why: Why,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    Forced,
    FewRays,
    SizeNotTold,
    OneWay,
    TreeHeld,
    TreeNotHeld,
}

/// Fewer rays are cast one by one: too few are under way for anything else.
const FEW_RAYS: usize = 16;
/// Fewer rays are not worth waking other threads for.
const INLINE_BELOW: usize = 1024;
/// The same with an engine that does not tell its size, whose rays may cost anything.
const INLINE_BELOW_UNKNOWN: usize = 32;
/// Rays go one by one while the tree is at most so many times a core's own cache.
const ONE_BY_ONE_WITHIN: f64 = 1.0;
/// Packets are for trees of at most so many times the shared cache.
const PACKETS_WITHIN: f64 = 2.0;
/// Packets are tried when at least this part of the sampled groups goes one way.
const PACKETS_FROM: f64 = 0.5;
/// Chunks that each thread finds, so that the last ones even out what the others cost.
const CHUNKS_A_THREAD: usize = 16;
/// Chunks are no smaller, since each ends with ever fewer rays under way, and no larger, so that
/// a cancel is soon noticed.
const CHUNK_SIZES: (usize, usize) = (512, 4096);
/// The same where each ray may have any number of answers.
const ROW_CHUNK_SIZES: (usize, usize) = (256, 1024);
/// The same with an engine that does not tell its size.
const UNKNOWN_CHUNK_SIZES: (usize, usize) = (16, 256);
/// Rays are reordered within windows of so many; each is one chunk.
const REORDER_WINDOW: usize = 1 << 17;
/// Smaller batches stay in their order.
const REORDER_FROM: usize = 1 << 20;
/// Rays count as shuffled when at most this part of the sampled groups goes one way.
const SHUFFLED_UP_TO: f64 = 0.1;
/// Trees of fewer times the shared cache have rays in their order.
const REORDER_BEYOND: f64 = 2.0;

impl Plan {
    /// Decides.
    pub(crate) fn new(facts: PlanFacts) -> Self {
        let threads = match facts.rays < Plan::inline_below(facts.tree_bytes, facts.chunk_size) {
            true => 1,
            false => facts.threads.max(1),
        };
        let (technique, why) = technique(&facts);
        let reorder = reorders(&facts, threads, technique);
        let chunk_size = facts.chunk_size.unwrap_or_else(|| {
            let (least, most) = match reorder {
                true => (REORDER_WINDOW, REORDER_WINDOW),
                false => chunk_sizes(facts.tree_bytes, facts.query),
            };
            let even = facts.rays / (threads * CHUNKS_A_THREAD);
            let even = if threads == 1 { most } else { even };
            // Whole groups, and answers of two threads in no line of a cache.
            even.clamp(least, most).next_multiple_of(GROUP)
        });
        Plan {
            technique,
            chunk_size: chunk_size.max(1),
            threads,
            reorder,
            facts,
            why,
        }
    }

    /// Fewer rays than this are cast in the caller's thread.
    pub(crate) fn inline_below(tree_bytes: usize, chunk_size: Option<usize>) -> usize {
        let usual = match tree_bytes {
            0 => INLINE_BELOW_UNKNOWN,
            _ => INLINE_BELOW,
        };
        // Whoever sets smaller chunks wants them shared out.
        chunk_size.map_or(usual, |size| size.saturating_add(1).min(usual))
    }

    /// How many rays of a stream go together.
    pub(crate) fn block_size(tree_bytes: usize, query: Query) -> usize {
        chunk_sizes(tree_bytes, query).1
    }

    /// Why each part was decided so, in words.
    pub fn reasons(&self) -> [String; 3] {
        [self.of_technique(), self.of_chunks(), self.of_order()]
    }

    fn of_technique(&self) -> String {
        let facts = &self.facts;
        let Sampled { groups, one_way } = facts.sampled;
        let rays = match (facts.coherence, groups) {
            _ if !for_packets(facts) => "packets are for first hits without options".into(),
            (Coherence::Coherent, _) => "rays are said to go one way".into(),
            (Coherence::Incoherent, _) => "rays are said to go anywhere".into(),
            (Coherence::Auto, 0) => "nothing is known of the rays".into(),
            (Coherence::Auto, 1) if one_way == 1 => "the group sampled goes one way".into(),
            (Coherence::Auto, 1) => "the group sampled does not go one way".into(),
            _ => format!("{one_way} of {groups} sampled groups go one way"),
        };
        let tree = Bytes(facts.tree_bytes);
        let (core, shared) = (Bytes(facts.caches.core), Bytes(facts.caches.shared));
        match self.why {
            Why::Forced => "as asked for".into(),
            Why::FewRays => format!("there are only {}", facts.rays),
            Why::SizeNotTold => "the engine tells nothing of its size".into(),
            Why::OneWay => format!("{rays}, and caches of {shared} help with {tree}"),
            Why::TreeHeld => format!("{rays}, and a core's cache of {core} holds most of {tree}"),
            Why::TreeNotHeld => {
                format!("{rays}, and {tree} are more than a core's cache of {core}")
            }
        }
    }

    fn of_chunks(&self) -> String {
        match self.threads {
            1 => "in this thread".into(),
            threads => format!("in {threads} threads"),
        }
    }

    fn of_order(&self) -> String {
        match self.reorder {
            true => format!("sorted by origin and direction in each {}", self.chunk_size),
            false => "as they come".into(),
        }
    }
}

/// The least and the most rays that a thread should take at a time.
fn chunk_sizes(tree_bytes: usize, query: Query) -> (usize, usize) {
    match tree_bytes {
        0 => UNKNOWN_CHUNK_SIZES,
        _ if query.has_rows() => ROW_CHUNK_SIZES,
        _ => CHUNK_SIZES,
    }
}

fn technique(facts: &PlanFacts) -> (Technique, Why) {
    let Sampled { groups, one_way } = facts.sampled;
    let for_packets = for_packets(facts);
    let is_coherent = match facts.coherence {
        Coherence::Coherent => true,
        Coherence::Incoherent => false,
        Coherence::Auto => groups > 0 && one_way as f64 >= PACKETS_FROM * groups as f64,
    };
    let within = |times: f64, cache: usize| facts.tree_bytes as f64 <= times * cache as f64;
    match facts.forced {
        Some(technique) => (technique, Why::Forced),
        None if facts.tree_bytes == 0 => (Technique::OneByOne, Why::SizeNotTold),
        None if facts.rays < FEW_RAYS => (Technique::OneByOne, Why::FewRays),
        None if for_packets && is_coherent && within(PACKETS_WITHIN, facts.caches.shared) => {
            (Technique::Packets, Why::OneWay)
        }
        None if within(ONE_BY_ONE_WITHIN, facts.caches.core) => {
            (Technique::OneByOne, Why::TreeHeld)
        }
        None => (Technique::Interleaved, Why::TreeNotHeld),
    }
}

/// Whether packets know how to answer.
fn for_packets(facts: &PlanFacts) -> bool {
    facts.query.ends_at_first_hit() && !facts.has_options
}

fn reorders(facts: &PlanFacts, threads: usize, technique: Technique) -> bool {
    match facts.reorder {
        Reorder::Never => false,
        Reorder::Always => facts.rays > 1,
        Reorder::Auto => {
            let Sampled { groups, one_way } = facts.sampled;
            let is_shuffled = match facts.coherence {
                Coherence::Coherent => false,
                Coherence::Incoherent => true,
                Coherence::Auto => groups > 0 && one_way as f64 <= SHUFFLED_UP_TO * groups as f64,
            };
            is_shuffled
                && technique != Technique::Packets
                && facts.tree_bytes as f64 > REORDER_BEYOND * facts.caches.shared as f64
                && facts.rays >= REORDER_FROM
                // Every thread needs windows enough.
                && facts.rays >= 4 * threads * REORDER_WINDOW
        }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [technique, chunks, order] = self.reasons();
        write!(f, "{}: {technique}", self.technique)?;
        write!(f, "\nchunks of {} rays {chunks}", self.chunk_size)?;
        match self.reorder {
            true => write!(f, "\n{order}"),
            false => Ok(()),
        }
    }
}

/// A size as people say it.
struct Bytes(usize);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
        let mut size = self.0 as f64 / 1024.0;
        let mut unit = 0;
        while size >= 1023.95 && unit + 1 < UNITS.len() {
            size /= 1024.0;
            unit += 1;
        }
        let digits = if size >= 9.995 { 0 } else { 1 };
        write!(f, "{size:.digits$} {}", UNITS[unit])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: usize = 1 << 20;

    fn facts(rays: usize, tree_mib: usize, one_way: usize) -> PlanFacts {
        PlanFacts {
            query: Query::ClosestHits,
            has_options: false,
            rays,
            threads: 4,
            tree_bytes: tree_mib * MIB,
            caches: Caches::TYPICAL,
            coherence: Coherence::Auto,
            sampled: Sampled {
                groups: 64,
                one_way,
            },
            forced: None,
            chunk_size: None,
            reorder: Reorder::Auto,
        }
    }

    #[test]
    fn sizes_are_said_shortly() {
        let said = [0, 100, 1024, 1536 * 1024, 32 * MIB, 1023 * MIB, 1024 * MIB];
        let said = said.map(|bytes| Bytes(bytes).to_string());
        let expected = [
            "0.0 KiB", "0.1 KiB", "1.0 KiB", "1.5 MiB", "32 MiB", "1023 MiB", "1.0 GiB",
        ];
        assert_eq!(said, expected);
    }

    #[test]
    fn whatever_the_facts_the_plan_can_be_carried_out() {
        for rays in [
            0,
            1,
            15,
            16,
            255,
            1023,
            1024,
            5000,
            1 << 20,
            1 << 24,
            usize::MAX / 64,
        ] {
            for threads in [0, 1, 2, 16, 1000] {
                for tree in [0, 1, 100, 100_000] {
                    for query in Query::ALL {
                        for chunk_size in [None, Some(0), Some(13), Some(usize::MAX)] {
                            let facts = facts(rays, tree, 0);
                            let plan = Plan::new(PlanFacts {
                                threads,
                                query,
                                chunk_size,
                                ..facts
                            });
                            assert!(plan.chunk_size > 0 && plan.threads > 0, "{plan:?}");
                            assert!(plan.threads <= threads.max(1), "{plan:?}");
                            if chunk_size.is_none() {
                                assert_eq!(plan.chunk_size % GROUP, 0, "{plan:?}");
                            }
                            assert_eq!(
                                plan.to_string().lines().count(),
                                2 + usize::from(plan.reorder)
                            );
                        }
                    }
                }
            }
        }
    }
}
