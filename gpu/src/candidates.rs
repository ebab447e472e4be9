//! What a kernel tells of each ray.

use estoc_core::PrimId;

/// No triangle; the list ends. Other words are one more than the id or the number that they stand for.
const NONE: u32 = u32::MAX;
/// The processor has to trace the ray: also where a device has written nothing.
const ASK: u32 = 0;
/// The greatest number of triangles whose ids have words.
pub(crate) const MOST_TRIANGLES: usize = NONE as usize - 1;

/// What is wanted of the rays of one dispatch, by its number in the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// What may be the first hit.
    First,
    /// Whether there is a certain hit; if not, what may be one.
    Any,
    /// The number of certain hits, and what else may be one.
    Count,
    /// What may be a hit.
    All,
}

impl Wanted {
    /// Returns the number of words of each answer.
    pub fn answer_words(self) -> usize {
        match self {
            Wanted::First | Wanted::Any | Wanted::Count => 3,
            Wanted::All => 8,
        }
    }

    /// Returns what is told of a ray by its words.
    pub(crate) fn told(self, words: &[u32]) -> Told<'_> {
        let reports = matches!(self, Wanted::Any | Wanted::Count);
        match words {
            [] | [ASK, ..] => Told::Nothing,
            [certain, maybe @ ..] if reports => Told::All(*certain as usize - 1, Candidates(maybe)),
            maybe => Told::All(0, Candidates(maybe)),
        }
    }
}

/// What a kernel tells of a ray.
pub(crate) enum Told<'a> {
    /// The processor has to trace it.
    Nothing,
    /// The number of certain hits that are not listed, and what may be others.
    All(usize, Candidates<'a>),
}

/// Triangles that a ray may hit.
#[derive(Clone, Copy)]
pub(crate) struct Candidates<'a>(&'a [u32]);

impl Iterator for Candidates<'_> {
    type Item = PrimId;

    fn next(&mut self) -> Option<PrimId> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        match first {
            ASK | NONE => None,
            word => PrimId::new(word - 1),
        }
    }
}
