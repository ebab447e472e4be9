//! Many rays or points at one engine, in one thread.

use super::{QueryError, QueryOptions};
use crate::{PrimId, Ray};
use core::fmt;
use core::ops::{Add, AddAssign};

/// How an engine goes through many rays. Answers never depend on it, only the time does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Technique {
    /// One ray after the other.
    #[default]
    OneByOne,
    /// Several rays under way at once, each a step at a time: while memory fetches what one of
    /// them needs next, the others go on (Kocberber et al. 2015, "Asynchronous Memory Access
    /// Chaining"). For trees that caches do not hold, and rays that go anywhere.
    Interleaved,
    /// Rays that lie side by side and go the same way, in groups that share their way through
    /// the tree; what is in no such group is interleaved. For pictures and shadows.
    Packets,
    /// Rays that start near each other, but go anywhere: up to sixteen of those that go into the
    /// same octant share the upper part of their way through the tree; where they part, they are
    /// interleaved. For ambient occlusion and reflections from pictures.
    Bundles,
}

impl Technique {
    /// All of them.
    pub const ALL: [Technique; 4] = [
        Technique::OneByOne,
        Technique::Interleaved,
        Technique::Packets,
        Technique::Bundles,
    ];
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

/// How many rays went through an engine by each [`Technique`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Shares {
    /// [`Technique::OneByOne`].
    pub one_by_one: usize,
    /// [`Technique::Interleaved`].
    pub interleaved: usize,
    /// [`Technique::Packets`].
    pub packets: usize,
    /// [`Technique::Bundles`].
    pub bundles: usize,
}

impl Shares {
    /// Returns the shares of `rays` rays that all went by one technique.
    pub fn of(technique: Technique, rays: usize) -> Self {
        let mut shares = Shares::default();
        match technique {
            Technique::OneByOne => shares.one_by_one = rays,
            Technique::Interleaved => shares.interleaved = rays,
            Technique::Packets => shares.packets = rays,
            Technique::Bundles => shares.bundles = rays,
        }
        shares
    }

    /// Rays that were asked at all.
    pub fn total(&self) -> usize {
        self.one_by_one + self.interleaved + self.packets + self.bundles
    }
}

impl Add for Shares {
    type Output = Shares;

    fn add(self, other: Shares) -> Shares {
        Shares {
            one_by_one: self.one_by_one + other.one_by_one,
            interleaved: self.interleaved + other.interleaved,
            packets: self.packets + other.packets,
            bundles: self.bundles + other.bundles,
        }
    }
}

impl AddAssign for Shares {
    fn add_assign(&mut self, other: Shares) {
        *self = *self + other;
    }
}

/// Many rays, or points, and the options of a query about each.
///
/// ```
/// use estoc_core::{BruteForce, Closest, Many, Ray, RayQuery, Technique, Triangle};
/// let engine = BruteForce::new(vec![Triangle::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])]);
/// let rays = [0.25, 2.0].map(|x| Ray::new([x, 0.25, 1.0], [0.0, 0.0, -1.0]));
/// let mut hits = [None; 2];
/// let many = Many::new(&rays).technique(Technique::Interleaved);
/// engine.ask_many(Closest, &many, &mut hits)?;
/// assert!(hits[0].is_some() && hits[1].is_none());
/// # Ok::<(), estoc_core::ManyError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Many<'a, T = Ray, I = PrimId> {
    pub(super) items: &'a [T],
    pub(super) options: Options<'a, I>,
    pub(super) active: Option<&'a [bool]>,
    pub(super) technique: Technique,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Options<'a, I> {
    Same(&'a QueryOptions<I>),
    Each(&'a [QueryOptions<I>]),
}

impl<'a, T, I> Many<'a, T, I> {
    /// These rays or points, one by one, without options.
    pub fn new(items: &'a [T]) -> Self {
        Many {
            items,
            options: Options::Same(const { &QueryOptions::DEFAULT }),
            active: None,
            technique: Technique::OneByOne,
        }
    }

    /// Sets the options of all rays.
    #[must_use]
    pub fn options(self, options: &'a QueryOptions<I>) -> Self {
        let options = Options::Same(options);
        Many { options, ..self }
    }

    /// Sets the options of each ray, as many as there are rays.
    #[must_use]
    pub fn options_each(self, options: &'a [QueryOptions<I>]) -> Self {
        let options = Options::Each(options);
        Many { options, ..self }
    }

    /// Sets which rays are asked, a flag each: the others hit nothing.
    #[must_use]
    pub fn active(self, active: &'a [bool]) -> Self {
        let active = Some(active);
        Many { active, ..self }
    }

    /// Sets the technique, for engines that have more than one.
    #[must_use]
    pub fn technique(self, technique: Technique) -> Self {
        Many { technique, ..self }
    }

    /// Returns the same flags and technique for other items, without options.
    pub(super) fn about<U>(&self, items: &'a [U]) -> Many<'a, U, I> {
        Many {
            active: self.active,
            technique: self.technique,
            ..Many::new(items)
        }
    }

    /// How many rays there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are no rays.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    #[inline(always)]
    pub(super) fn options_of(&self, place: usize) -> &'a QueryOptions<I> {
        match self.options {
            Options::Same(options) => options,
            Options::Each(options) => &options[place],
        }
    }

    pub(super) fn check_room(&self, found: usize) -> Result<(), ManyError> {
        let (what, rays) = ("places for answers", self.len());
        match found == rays {
            true => Ok(()),
            false => Err(ManyError::Length { what, rays, found }),
        }
    }

    pub(super) fn check(&self) -> Result<(), ManyError> {
        let rays = self.items.len();
        match (&self.options, self.active) {
            (Options::Each(options), _) if options.len() != rays => Err(ManyError::Length {
                what: "options",
                rays,
                found: options.len(),
            }),
            (_, Some(active)) if active.len() != rays => Err(ManyError::Length {
                what: "flags",
                rays,
                found: active.len(),
            }),
            _ => Ok(()),
        }
    }
}

/// Why many rays have no answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ManyError {
    /// There is not one of something for each ray.
    #[error("{rays} rays need as many {what}, not {found}")]
    Length {
        /// Options, flags, or places for answers.
        what: &'static str,
        /// How many rays there are.
        rays: usize,
        /// How many of the other there are.
        found: usize,
    },
    /// There is no memory for all hits of one ray. Other rays may have answers.
    #[error("ray {ray}: no memory for all of its hits; free some, or ask for the first of them")]
    NoMemory {
        /// The ray, counted from 0.
        ray: usize,
    },
    /// One ray's options ask for what cannot be answered. Rays before it may have answers.
    #[error("ray {ray}: {error}")]
    Query {
        /// The ray, counted from 0.
        ray: usize,
        /// What is wrong.
        #[source]
        error: QueryError,
    },
}
