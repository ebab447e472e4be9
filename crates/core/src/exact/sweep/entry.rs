//! Which part of a triangle a moving sphere touches first, in numbers of any kind.

use super::number::{Root, TimedNumber};
use super::prepared_sphere::Motion;
use crate::arithmetic::{V3, Vector, cross_product, dot};
use crate::exact::proximity::Feature;
use crate::shapes::Triangle64;
use core::cmp::Ordering;

/// What is known of the first contact with a triangle.
pub(super) enum Contact<N: TimedNumber> {
    /// There is none, or it is certainly later than the limit.
    Never,
    At(Feature, N::Time),
    /// This kind of number does not decide.
    Open,
}

/// What is known of the root of one feature.
enum Entry<T> {
    /// It does not count.
    Never,
    /// It counts.
    Sure(T),
    /// It may count.
    Unsure(T),
    /// It may count, and may be at any time.
    Unknown,
}

/// A triangle and a movement in numbers of one kind.
pub(super) struct Encounter<N> {
    /// The centre relative to the corners.
    from: [Vector<N>; 3],
    /// The edges, each from the corner of its number to the next.
    edges: [Vector<N>; 3],
    velocity: Vector<N>,
    /// The square of the radius.
    reach: N,
}

impl<N: TimedNumber> Encounter<N> {
    #[inline(always)]
    pub(super) fn of(motion: &Motion, triangle: &Triangle64) -> Self {
        let [p0, p1, p2] = triangle.coordinates();
        let between = |a: V3, b: V3| [0, 1, 2].map(|i| N::of_difference(a[i], b[i]));
        Encounter {
            from: [p0, p1, p2].map(|corner| between(motion.center, corner)),
            edges: [between(p1, p0), between(p2, p1), between(p0, p2)],
            velocity: motion.velocity.map(N::exactly),
            reach: match motion.square {
                Some(square) => N::exactly(square),
                None => {
                    let radius = N::exactly(motion.radius);
                    radius.times(&radius)
                }
            },
        }
    }

    /// Returns the first contact of a sphere that does not touch the triangle at the start.
    #[inline(always)]
    pub(super) fn contact(&self, limit: f64) -> Contact<N> {
        let normal = self.normal();
        let signs = [0, 1, 2].map(|i| normal[i].sign());
        if signs == [Some(0); 3] {
            return Contact::Never;
        }
        if !signs.iter().any(|sign| sign.is_some_and(|sign| sign != 0)) {
            return Contact::Open;
        }
        if let Some(contact) = self.face_contact(&normal, limit) {
            return contact;
        }
        let entries = [
            self.vertex_entry(0, limit),
            self.vertex_entry(1, limit),
            self.vertex_entry(2, limit),
            self.edge_entry(0, limit),
            self.edge_entry(1, limit),
            self.edge_entry(2, limit),
        ];
        least(entries)
    }

    /// Returns the contact if it is certainly inside the face, or if there is none because of the
    /// plane of the face; `None` if only vertices and edges are left.
    #[inline(always)]
    fn face_contact(&self, normal: &Vector<N>, limit: f64) -> Option<Contact<N>> {
        let height = dot(normal, &self.from[0]);
        let slope = dot(normal, &self.velocity);
        let reach = self.reach.times(&dot(normal, normal));
        match height.times(&height).minus(&reach).sign() {
            None => return Some(Contact::Open),
            Some(1) => {}
            // The sphere meets the plane at the start.
            Some(_) => return None,
        }
        let (Some(side), Some(slope_sign)) = (height.sign(), slope.sign()) else {
            return Some(Contact::Open);
        };
        if side * slope_sign >= 0 {
            return Some(Contact::Never);
        }
        let time = N::time(face_root(&height, &slope, reach));
        if N::is_later(&time, limit) {
            return Some(Contact::Never);
        }
        let mut is_open = false;
        for (edge, from) in self.edges.iter().zip(&self.from) {
            let inward = cross_product(normal, edge);
            let (start, step) = (dot(&inward, from), dot(&inward, &self.velocity));
            match N::sign_at(&time, &start, &step) {
                Some(1) => {}
                Some(_) => return None,
                None => is_open = true,
            }
        }
        Some(match is_open {
            true => Contact::Open,
            false => Contact::At(Feature::Face, time),
        })
    }

    #[inline(always)]
    fn vertex_entry(&self, i: usize, limit: f64) -> Entry<N::Time> {
        entry_of(self.vertex_root(i), limit)
    }

    #[inline(always)]
    fn edge_entry(&self, i: usize, limit: f64) -> Entry<N::Time> {
        let entry = entry_of(self.edge_root(i), limit);
        let (Entry::Sure(time) | Entry::Unsure(time)) = &entry else {
            return entry;
        };
        let edge = &self.edges[i];
        let step = dot(edge, &self.velocity);
        let at = |corner: usize| N::sign_at(time, &dot(edge, &self.from[corner]), &step);
        match (at(i), at((i + 1) % 3)) {
            (Some(1), Some(-1)) => entry,
            (Some(0 | -1), _) | (_, Some(0 | 1)) => Entry::Never,
            _ => Entry::Unsure(time.clone()),
        }
    }

    #[inline(always)]
    fn normal(&self) -> Vector<N> {
        cross_product(&self.edges[0], &self.edges[1])
    }

    #[inline(always)]
    fn vertex_root(&self, i: usize) -> Root<N> {
        let (from, velocity) = (&self.from[i], &self.velocity);
        let rate = dot(velocity, velocity);
        let aside = cross_product(from, velocity);
        Root {
            middle: dot(from, velocity).negative(),
            square: rate.times(&self.reach).minus(&dot(&aside, &aside)),
            gap: Some(dot(from, from).minus(&self.reach)),
            rate,
        }
    }

    #[inline(always)]
    fn edge_root(&self, i: usize) -> Root<N> {
        let (from, edge) = (&self.from[i], &self.edges[i]);
        let (motion, arm) = (
            cross_product(&self.velocity, edge),
            cross_product(from, edge),
        );
        let rate = dot(&motion, &motion);
        // e . (u x v)
        let aside = dot(from, &motion);
        let length = dot(edge, edge);
        let inner = rate.times(&self.reach).minus(&aside.times(&aside));
        Root {
            middle: dot(&motion, &arm).negative(),
            square: length.times(&inner),
            gap: Some(dot(&arm, &arm).minus(&self.reach.times(&length))),
            rate,
        }
    }

    /// Returns the root of a feature that is known to be touched first.
    pub(super) fn root_of(&self, feature: Feature) -> Root<N> {
        match feature {
            Feature::Vertex(i) => self.vertex_root(i.into()),
            Feature::Edge(i) => self.edge_root(i.into()),
            Feature::Face => {
                let normal = self.normal();
                let height = dot(&normal, &self.from[0]);
                let slope = dot(&normal, &self.velocity);
                let reach = self.reach.times(&dot(&normal, &normal));
                face_root(&height, &slope, reach)
            }
        }
    }
}

/// Returns the time when the height above a plane is the radius, both times the normal's length.
#[inline(always)]
fn face_root<N: TimedNumber>(height: &N, slope: &N, reach: N) -> Root<N> {
    let size = |x: &N| match x.sign() {
        Some(-1) => x.negative(),
        _ => x.clone(),
    };
    Root {
        middle: size(height),
        square: reach,
        rate: size(slope),
        gap: None,
    }
}

/// Returns what is known of a root by its signs and its time.
#[inline(always)]
fn entry_of<N: TimedNumber>(root: Root<N>, limit: f64) -> Entry<N::Time> {
    let square = root.square.sign();
    let (middle, gap) = (
        root.middle.sign(),
        root.gap.as_ref().map_or(Some(1), N::sign),
    );
    if square == Some(-1)
        || middle.is_some_and(|sign| sign <= 0)
        || gap.is_some_and(|sign| sign <= 0)
    {
        return Entry::Never;
    }
    if middle.is_none() || gap.is_none() {
        return Entry::Unknown;
    }
    let time = N::time(root);
    if N::is_later(&time, limit) {
        Entry::Never
    } else if square.is_some() {
        Entry::Sure(time)
    } else {
        Entry::Unsure(time)
    }
}

/// Returns the least entry that counts, if it is known: at the time of contact, the closest point
/// of the triangle is one point, so different features have different times.
#[inline(always)]
fn least<N: TimedNumber>(entries: [Entry<N::Time>; 6]) -> Contact<N> {
    let mut best: Option<(usize, &N::Time)> = None;
    for (place, entry) in entries.iter().enumerate() {
        if let Entry::Sure(time) = entry
            && best.is_none_or(|(_, best)| N::order(time, best) == Some(Ordering::Less))
        {
            best = Some((place, time));
        }
    }
    let is_after = |time: &N::Time| {
        best.is_some_and(|(_, best)| {
            N::order(time, best).is_some_and(|order| order != Ordering::Less)
        })
    };
    for (place, entry) in entries.iter().enumerate() {
        let is_settled = match entry {
            Entry::Never => true,
            Entry::Sure(time) | Entry::Unsure(time) => {
                best.is_some_and(|(best, _)| best == place) || is_after(time)
            }
            Entry::Unknown => false,
        };
        if !is_settled {
            return Contact::Open;
        }
    }
    match best {
        None => Contact::Never,
        Some((place @ 0..3, time)) => Contact::At(Feature::Vertex(place as u8), time.clone()),
        Some((place, time)) => Contact::At(Feature::Edge(place as u8 - 3), time.clone()),
    }
}
