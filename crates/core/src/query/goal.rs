//! What a query wants of the hits on a ray, and what it has found so far.

use super::HitBuffer;
use super::primitive::Primitive;
use crate::exact::PreparedRay;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::ops::ControlFlow;

/// What is wanted of the hits on a ray: what an engine needs to know to prune.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Want {
    /// The first hit and nothing else. An engine that is certain of a hit may hold it back, offer
    /// nothing that lies behind it, and offer it in the end, but only where
    /// [every hit counts](super::Collector::takes_every_hit).
    First,
    /// Any hit, whichever it is.
    Any,
    /// All hits, in any order.
    All,
    /// The number of hits. An engine that is certain of one may count it.
    Count,
    /// The first `k` hits: nearer primitives are better offered first.
    FirstK(usize),
}

/// What has been found.
pub(super) enum Goal<P: Primitive> {
    First(Option<P::Touch>),
    Any(bool),
    Count(usize),
    /// The first `k`, kept sorted as they come.
    FirstK(HitBuffer<P>, usize),
    All(HitBuffer<P>),
}

impl<P: Primitive> Goal<P> {
    /// Takes a hit that counts. Lowers the limit where what lies beyond it is no longer wanted.
    #[inline(always)]
    pub(super) fn take(
        &mut self,
        ray: &PreparedRay<'_>,
        touch: P::Touch,
        t_limit: &mut f64,
    ) -> ControlFlow<()> {
        match self {
            Goal::First(best) => {
                let closer = match best {
                    None => true,
                    Some(best) => P::order(ray, &touch, best) == Ordering::Less,
                };
                if closer {
                    // A nearer hit may be known less sharply: the least limit so far stays.
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
            Goal::All(buffer) => buffer.keep(touch),
            Goal::FirstK(buffer, k) => insert::<P>(ray, touch, &mut buffer.touches, *k, t_limit),
        }
    }
}

/// Inserts a hit among the first `k`.
fn insert<P: Primitive>(
    ray: &PreparedRay<'_>,
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
