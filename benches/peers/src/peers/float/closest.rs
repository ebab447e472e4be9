//! Traversal from the root to the first hit.

use super::child::Child;
use super::leaf::{self, WIDTH, leaf_test};
use super::node::node_test;
use super::order;
use super::ray::TwinRay;
use super::stack::Stack;
use super::tree::Tree;
use crate::ray::{Hit, Ray};
use std::arch::x86_64::*;

/// Returns the first hit in `f32` arithmetic.
///
/// One call per ray, as for the other engines: never inlined into the caller's loop.
#[inline(never)]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn closest_hit<const PREFETCH: bool>(tree: &Tree<'_>, ray: &Ray) -> Hit {
    if tree.is_empty() {
        return Hit::MISS;
    }
    let twin = TwinRay::new(ray);
    let mut stack = Stack::new();
    let mut limit = _mm256_set1_ps(ray.t_max);
    let mut limit_key = last_key(ray.t_max);
    let mut hit = Hit::MISS;
    let mut name: Option<&u32> = None;
    let mut next = Child::ROOT;
    loop {
        if next.is_node() {
            let node = tree.node(next);
            let met = node_test(node, &twin, limit);
            if met.mask != 0 {
                if PREFETCH {
                    tree.prefetch(node, met.mask);
                }
                let first = met.mask.trailing_zeros();
                let rest = met.mask & (met.mask - 1);
                if rest == 0 {
                    next = node.child(first);
                    continue;
                }
                if rest & (rest - 1) == 0 {
                    let second = rest.trailing_zeros();
                    let entries = lanes(met.entry);
                    let entry = |lane: u32| entries[lane as usize % WIDTH].to_bits() as i32;
                    let far;
                    if entry(first) <= entry(second) {
                        stay_a_branch();
                        (next, far) = (node.child(first), second);
                    } else {
                        (next, far) = (node.child(second), first);
                    }
                    stack.push(entry(far), node.child(far));
                    continue;
                }
                // The nearest is found first, so that its node is being loaded while the others are
                // sorted.
                let keys = met.keys();
                next = node.child(order::least(keys) % WIDTH as u32);
                let sorted = order::descending(keys);
                let children = _mm256_permutevar8x32_epi32(node.all_children(), sorted);
                stack.push_first(met.mask.count_ones() as usize - 1, sorted, children);
                if !PREFETCH && stack.top().is_node() {
                    tree.node(stack.top()).prefetch();
                }
                continue;
            }
        } else {
            if next == Child::END {
                break;
            }
            let rows = tree.rows(next);
            let (parameters, mut hits) = leaf_test(rows, &twin, limit);
            if hits != 0 {
                let parameters = lanes(parameters);
                let mut place = 0;
                hit.t = f32::INFINITY;
                while hits != 0 {
                    let other = hits.trailing_zeros() as usize % WIDTH;
                    hits &= hits - 1;
                    if parameters[other] < hit.t {
                        (hit.t, place) = (parameters[other], other);
                    }
                }
                limit = _mm256_set1_ps(hit.t);
                limit_key = last_key(hit.t);
                name = Some(rows.name(place));
            }
        }
        next = stack.pop_within(limit_key);
    }
    if let Some(&name) = name {
        hit.prim = leaf::prim(name);
    }
    hit
}

/// Returns the greatest key of a box that is entered at `t` or before; for numbers that are not
/// negative, keys order as the numbers do.
#[inline(always)]
fn last_key(t: f32) -> i32 {
    (t.to_bits() | 7) as i32
}

#[inline]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn lanes(register: __m256) -> [f32; WIDTH] {
    let mut lanes = [0.0; WIDTH];
    // SAFETY: eight numbers.
    unsafe { _mm256_storeu_ps(lanes.as_mut_ptr(), register) };
    lanes
}

/// Makes the compiler keep a branch where it would rather compute both sides and select: the
/// processor predicts branches and continues with the next node, but waits for selections.
#[inline(always)]
fn stay_a_branch() {
    // SAFETY: the assembly is empty.
    unsafe { std::arch::asm!("", options(nomem, nostack, preserves_flags)) };
}
