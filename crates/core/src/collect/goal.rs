//! What a query wants of the hits on a ray, and what it has found.

use crate::collect::{HitBuffer, Primitive, RayTest};
use crate::exact::PreparedRay;
use crate::shapes::{RayKind, Side};
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::ops::ControlFlow;

/// What a query wants of the hits on a ray. Engines prune by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Want {
    /// The first hit only. Where the engine can tell [which hits
    /// count](crate::Collector::hit_rule), it may keep one that it is certain of, prune everything
    /// behind it, and offer it at the end.
    First,
    /// Any hit.
    Any,
    /// All hits, in any order.
    All,
    /// The number of hits. An engine may count a hit of which it is certain.
    Count,
    /// The first `k` hits. Offer nearer primitives first where possible.
    FirstK(usize),
}

/// Which hits of a ray are listed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Listed {
    All,
    FirstK(usize),
    /// Of hits at the same exact parameter, the first one.
    Distinct,
}

impl Listed {
    /// Returns what a query for such hits wants.
    pub(crate) fn want(self) -> Want {
        match self {
            Listed::All | Listed::Distinct => Want::All,
            Listed::FirstK(k) => Want::FirstK(k),
        }
    }

    /// Returns a goal in a buffer.
    pub(crate) fn goal<P: Primitive>(self, buffer: HitBuffer<P>) -> Goal<P> {
        match self {
            Listed::All => Goal::All(buffer),
            Listed::FirstK(k) => Goal::FirstK(buffer, k),
            Listed::Distinct => Goal::Distinct(buffer),
        }
    }
}

/// What a query wants, with the hits found so far.
pub(crate) enum Goal<P: Primitive> {
    First(Option<P::Touch>),
    Any(bool),
    Count(usize),
    /// The hits from behind minus those from the front.
    Winding(i64),
    /// The first `k`, sorted on insertion.
    FirstK(HitBuffer<P>, usize),
    All(HitBuffer<P>),
    Distinct(HitBuffer<P>),
}

impl<P: Primitive> Goal<P> {
    /// Records a hit that counts. Lowers the limit where nothing beyond it is wanted any more.
    #[inline(always)]
    pub(crate) fn take<R: RayKind>(
        &mut self,
        ray: &PreparedRay<'_, R>,
        touch: P::Touch,
        t_limit: &mut f64,
    ) -> ControlFlow<()>
    where
        P: RayTest<R>,
    {
        match self {
            Goal::First(best) => {
                let closer = match best {
                    None => true,
                    Some(best) => P::order(ray, &touch, best) == Ordering::Less,
                };
                if closer {
                    // The interval of a nearer hit may be wider, so the least limit so far stays.
                    if P::t_high(&touch) < *t_limit {
                        *t_limit = P::t_high(&touch);
                    }
                    *best = Some(touch);
                }
                ControlFlow::Continue(())
            }
            Goal::Any(found) => {
                *found = true;
                ControlFlow::Break(())
            }
            Goal::Count(hits) => {
                *hits += 1;
                ControlFlow::Continue(())
            }
            Goal::Winding(sum) => {
                *sum += match P::side(&touch) {
                    Side::Back => 1,
                    Side::Front => -1,
                };
                ControlFlow::Continue(())
            }
            Goal::All(buffer) | Goal::Distinct(buffer) => buffer.keep(touch),
            Goal::FirstK(buffer, k) => insert::<P, R>(ray, touch, &mut buffer.touches, *k, t_limit),
        }
    }
}

/// Inserts a hit into the first `k`.
fn insert<P: RayTest<R>, R: RayKind>(
    ray: &PreparedRay<'_, R>,
    touch: P::Touch,
    kept: &mut Vec<P::Touch>,
    k: usize,
    t_limit: &mut f64,
) -> ControlFlow<()> {
    if k == 0 {
        return ControlFlow::Break(());
    }
    let place = kept.partition_point(|other| P::order(ray, other, &touch) == Ordering::Less);
    if place < k {
        kept.truncate(k - 1);
        kept.insert(place, touch);
        let last = &kept[kept.len() - 1];
        if kept.len() == k && P::t_high(last) < *t_limit {
            *t_limit = P::t_high(last);
        }
    }
    ControlFlow::Continue(())
}
