//! Many rays or points for one engine, in one thread.

use crate::collect::{QueryError, QueryOptions};
use crate::shapes::{PrimId, Ray};
use core::fmt;
use core::ops::{Add, AddAssign, Range};

/// How an engine traces many rays. It affects the time, never an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Technique {
    /// One ray after the other.
    ///
    /// The only one in WebAssembly, where the others are slower.
    #[default]
    OneByOne,
    /// Several rays in flight, one step of each in turn: while memory fetches what one ray needs
    /// next, the others proceed (Kocberber et al. 2015, "Asynchronous Memory Access Chaining"). For
    /// trees larger than the caches and incoherent rays.
    Interleaved,
    /// Groups of neighbouring rays of similar direction that traverse the tree together; rays in no
    /// such group are interleaved, or for any hit traced as bundles. For pictures and shadows. A
    /// picture's rays are traced faster in squares of 16 by 16 pixels, each in squares of 4 by 4, than
    /// row by row.
    Packets,
    /// Groups of up to sixteen rays of one octant that start close together, in any direction, and
    /// share the upper part of the traversal; after it each goes on alone. For ambient occlusion
    /// and reflections from pictures.
    Bundles,
}

impl Technique {
    /// All techniques.
    pub const ALL: [Technique; 4] = [
        Technique::OneByOne,
        Technique::Interleaved,
        Technique::Packets,
        Technique::Bundles,
    ];

    /// Whether trees and scenes trace many rays at once. In WebAssembly that is slower than single calls, and two
    /// thirds of the code.
    #[doc(hidden)]
    pub const HAS_OTHERS: bool = !cfg!(target_family = "wasm");
}

impl fmt::Display for Technique {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Technique::OneByOne => "one by one",
            Technique::Interleaved => "interleaved",
            Technique::Packets => "packets",
            Technique::Bundles => "bundles",
        })
    }
}

/// The number of rays traced by each [`Technique`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct TechniqueCounts {
    /// [`Technique::OneByOne`].
    pub one_by_one: usize,
    /// [`Technique::Interleaved`].
    pub interleaved: usize,
    /// [`Technique::Packets`].
    pub packets: usize,
    /// [`Technique::Bundles`].
    pub bundles: usize,
}

impl TechniqueCounts {
    /// Returns the counts of `rays` rays that were all traced by one technique.
    pub fn of(technique: Technique, rays: usize) -> Self {
        let mut techniques = TechniqueCounts::default();
        match technique {
            Technique::OneByOne => techniques.one_by_one = rays,
            Technique::Interleaved => techniques.interleaved = rays,
            Technique::Packets => techniques.packets = rays,
            Technique::Bundles => techniques.bundles = rays,
        }
        techniques
    }

    /// Returns the number of rays traced by any technique.
    pub fn total(&self) -> usize {
        self.one_by_one + self.interleaved + self.packets + self.bundles
    }
}

impl Add for TechniqueCounts {
    type Output = TechniqueCounts;

    fn add(self, other: TechniqueCounts) -> TechniqueCounts {
        TechniqueCounts {
            one_by_one: self.one_by_one + other.one_by_one,
            interleaved: self.interleaved + other.interleaved,
            packets: self.packets + other.packets,
            bundles: self.bundles + other.bundles,
        }
    }
}

impl AddAssign for TechniqueCounts {
    fn add_assign(&mut self, other: TechniqueCounts) {
        *self = *self + other;
    }
}

/// Many rays or points, with the options of each query.
///
/// ```
/// # mod estoc { pub use estoc_core::*; pub mod engine { pub use estoc_core::*; } pub mod query { pub use estoc_core::*; } }
/// use estoc::{BruteForce, Ray, RayQuery, Triangle, engine::{QuerySlice, Technique}, query::Closest};
/// let engine = BruteForce::new(vec![Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])]);
/// let rays = [0.25, 2.0].map(|x| Ray::new([x, 0.25, 1.0], [0.0, 0.0, -1.0]));
/// let mut hits = [None; 2];
/// let many = QuerySlice::new(&rays).technique(Technique::Interleaved);
/// engine.ask_many(Closest, &many, &mut hits)?;
/// assert!(hits[0].is_some() && hits[1].is_none());
/// # Ok::<(), estoc::engine::QuerySliceError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct QuerySlice<'a, T = Ray, I = PrimId> {
    pub(crate) items: &'a [T],
    pub(crate) options: Options<'a, I>,
    pub(crate) active: Option<&'a [bool]>,
    pub(crate) technique: Technique,
    pub(crate) is_adaptive: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Options<'a, I> {
    Same(&'a QueryOptions<I>),
    Each(&'a [QueryOptions<I>]),
}

impl<'a, T, I> QuerySlice<'a, T, I> {
    /// Returns a slice of these rays or points, to be traced one by one without options.
    pub fn new(items: &'a [T]) -> Self {
        QuerySlice {
            items,
            options: Options::Same(const { &QueryOptions::DEFAULT }),
            active: None,
            technique: Technique::OneByOne,
            is_adaptive: false,
        }
    }

    /// Sets the same options for all rays.
    #[must_use]
    pub fn options(self, options: &'a QueryOptions<I>) -> Self {
        let options = Options::Same(options);
        QuerySlice { options, ..self }
    }

    /// Sets the options of each ray; there must be as many as rays.
    #[must_use]
    pub fn options_each(self, options: &'a [QueryOptions<I>]) -> Self {
        let options = Options::Each(options);
        QuerySlice { options, ..self }
    }

    /// Sets which rays are active, one flag per ray: the others hit nothing.
    #[must_use]
    pub fn active(self, active: &'a [bool]) -> Self {
        let active = Some(active);
        QuerySlice { active, ..self }
    }

    /// Sets the technique, for engines that have more than one.
    #[must_use]
    pub fn technique(self, technique: Technique) -> Self {
        QuerySlice { technique, ..self }
    }

    /// Lets the engine trace rays by another technique where those before them show that it is
    /// faster. Which one depends on the engine and the rays alone, never on the time that they take.
    #[must_use]
    pub fn adaptive(self, is_adaptive: bool) -> Self {
        QuerySlice {
            is_adaptive,
            ..self
        }
    }

    /// Returns the same flags and technique for other items or ids, without options.
    pub(crate) fn about<U, J>(&self, items: &'a [U]) -> QuerySlice<'a, U, J> {
        QuerySlice {
            active: self.active,
            technique: self.technique,
            is_adaptive: self.is_adaptive,
            ..QuerySlice::new(items)
        }
    }

    /// Returns the rays or points at these places, with their flags and options.
    pub(crate) fn part(&self, places: Range<usize>) -> Self {
        QuerySlice {
            items: &self.items[places.clone()],
            options: match self.options {
                Options::Same(options) => Options::Same(options),
                Options::Each(options) => Options::Each(&options[places.clone()]),
            },
            active: self.active.map(|active| &active[places]),
            ..*self
        }
    }

    /// Returns the rays or points.
    pub fn items(&self) -> &'a [T] {
        self.items
    }

    /// Returns whether the ray at this index is active. Panics if there are flags but none for it.
    pub fn is_active(&self, index: usize) -> bool {
        self.active.is_none_or(|active| active[index])
    }

    /// Returns the number of rays.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Returns whether there are no rays.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    #[inline(always)]
    pub(crate) fn options_of(&self, place: usize) -> &'a QueryOptions<I> {
        match self.options {
            Options::Same(options) => options,
            Options::Each(options) => &options[place],
        }
    }

    pub(crate) fn check_room(&self, found: usize) -> Result<(), QuerySliceError> {
        let (what, rays) = ("answer slots", self.len());
        match found == rays {
            true => Ok(()),
            false => Err(QuerySliceError::Length { what, rays, found }),
        }
    }

    pub(crate) fn check(&self) -> Result<(), QuerySliceError> {
        let rays = self.items.len();
        match (&self.options, self.active) {
            (Options::Each(options), _) if options.len() != rays => Err(QuerySliceError::Length {
                what: "options",
                rays,
                found: options.len(),
            }),
            (_, Some(active)) if active.len() != rays => Err(QuerySliceError::Length {
                what: "flags",
                rays,
                found: active.len(),
            }),
            _ => Ok(()),
        }
    }
}

/// The error of a query about many rays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QuerySliceError {
    /// The number of something is not the number of rays.
    #[error("the number of {what} is {found} instead of {rays}, one for each ray")]
    Length {
        /// The name of it: options, flags, or answer slots.
        what: &'static str,
        /// The number of rays.
        rays: usize,
        /// The number found.
        found: usize,
    },
    /// There is not enough memory for all hits of one ray. Other rays may have answers.
    #[error("ray {ray}: not enough memory for all of its hits; free some, or query the first hits")]
    NoMemory {
        /// The ray, counted from 0.
        ray: usize,
    },
    /// One ray's options cannot be met. Rays before it may have answers.
    #[error("ray {ray}: {error}")]
    Query {
        /// The index of the ray.
        ray: usize,
        /// The reason.
        #[source]
        error: QueryError,
    },
    /// The engine failed, such as one that has a device trace rays; it tells why. Other rays may have answers.
    #[error("ray {ray}: the engine failed")]
    Engine {
        /// The index of a ray without an answer.
        ray: usize,
    },
}
