//! Which cuts follow each other.
//!
//! Two cuts are neighbours where they end on the same edge, by the positions of its corners. At an
//! edge with more than two cuts, the cut of lowest id gets as its neighbour the lowest one that
//! continues its direction, or else the lowest one at all; then the next, and so on. Where every
//! edge is used an even number of times, as in a closed mesh, no cut is left over, so all chains are
//! closed.

use super::cut::Cut;
use super::polyline::Polyline;
use crate::arithmetic::InlineMap;
use crate::compact_sort::sort_compactly;
use crate::shapes::{Coordinate, Plane, surface::EdgeKey};
use alloc::vec;
use alloc::vec::Vec;

/// Consecutive cuts.
pub(super) struct Chain {
    links: Vec<Link>,
    is_closed: bool,
}

/// A cut as part of a chain.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Link {
    /// The index of the cut.
    cut: usize,
    /// The end of the cut that comes first in the chain: 0 is where the cut begins.
    from: usize,
}

impl Link {
    fn reversed(self) -> Self {
        Link {
            from: 1 - self.from,
            ..self
        }
    }
}

/// Returns all chains in which a cut has length, without the cuts that are points, by the lowest id
/// of their triangles. Cuts are sorted by id.
pub(super) fn chains<C: Coordinate>(cuts: &[Cut]) -> Vec<Chain> {
    let next = neighbours::<C>(cuts);
    let mut is_taken = vec![false; cuts.len()];
    let mut chains: Vec<Chain> = Vec::new();
    for cut in 0..cuts.len() {
        if !is_taken[cut] {
            let mut chain = follow(cut, &next, &mut is_taken);
            chain.links.retain(|link| cuts[link.cut].has_length());
            chain.begin_at_lowest();
            chains.push(chain);
        }
    }
    chains.retain(|chain| !chain.links.is_empty());
    chains.sort_by_cached_key(|chain| chain.links.iter().map(|link| link.cut).min());
    chains
}

/// Returns the neighbour at each end of each cut, as the link by which it is entered.
fn neighbours<C: Coordinate>(cuts: &[Cut]) -> Vec<[Option<Link>; 2]> {
    let mut ends: Vec<(EdgeKey<C::Position>, Link)> = (0..cuts.len())
        .flat_map(|cut| {
            [0, 1].inline_map(|from| (cuts[cut].edge_key::<C>(from), Link { cut, from }))
        })
        .collect();
    sort_compactly(&mut ends, Ord::cmp);
    let mut neighbours = vec![[None; 2]; cuts.len()];
    let mut connect = |a: Link, b: Link| {
        neighbours[a.cut][a.from] = Some(b);
        neighbours[b.cut][b.from] = Some(a);
    };
    for at_edge in ends.chunk_by(|a, b| a.0 == b.0) {
        let of = |from| {
            at_edge
                .iter()
                .map(|&(_, link)| link)
                .filter(move |link| link.from == from)
        };
        let (begins, ends) = (of(0).count(), of(1).count());
        let both = begins.min(ends);
        of(0)
            .zip(of(1))
            .for_each(|(begin, end)| connect(begin, end));
        let mut others = of(0).skip(both).chain(of(1).skip(both));
        while let (Some(one), Some(other)) = (others.next(), others.next()) {
            connect(one, other);
        }
    }
    neighbours
}

/// Returns the chain of a cut.
fn follow(cut: usize, next: &[[Option<Link>; 2]], is_taken: &mut [bool]) -> Chain {
    let start = Link { cut, from: 0 };
    let mut walk = |links: &mut Vec<Link>, mut at: Option<Link>| {
        while let Some(link) = at {
            if is_taken[link.cut] {
                return true;
            }
            is_taken[link.cut] = true;
            links.push(link);
            at = next[link.cut][1 - link.from];
        }
        false
    };
    let mut links = Vec::new();
    let is_closed = walk(&mut links, Some(start));
    if !is_closed {
        let mut before = Vec::new();
        walk(&mut before, next[cut][0]);
        let before = before.into_iter().rev().map(Link::reversed);
        links.splice(0..0, before);
    }
    Chain { links, is_closed }
}

impl Chain {
    /// Turns the chain so that its lowest cut keeps its direction, and a closed one begins there.
    fn begin_at_lowest(&mut self) {
        let lowest = |links: &[Link]| (0..links.len()).min_by_key(|&at| links[at].cut);
        let Some(mut at) = lowest(&self.links) else {
            return;
        };
        if self.links[at].from == 1 {
            self.links.reverse();
            for link in &mut self.links {
                *link = link.reversed();
            }
            at = self.links.len() - 1 - at;
        }
        if self.is_closed {
            self.links.rotate_left(at);
        }
    }

    /// Returns the points of the chain, which is not empty.
    pub(super) fn polyline<C: Coordinate>(&self, plane: &Plane<f64>, cuts: &[Cut]) -> Polyline<C> {
        let start = |link: &Link| cuts[link.cut].point(plane, link.from);
        let mut points: Vec<_> = self.links.iter().map(start).collect();
        if let (false, Some(last)) = (self.is_closed, self.links.last()) {
            points.push(start(&last.reversed()));
        }
        Polyline {
            points,
            is_closed: self.is_closed,
        }
    }
}
