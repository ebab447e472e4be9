//! Traversal from the root to any hit.

use super::child::Child;
use super::leaf::leaf_test;
use super::node::node_test;
use super::order;
use super::ray::TwinRay;
use super::stack::Stack;
use super::tree::Tree;
use crate::ray::Ray;
use std::arch::x86_64::*;

/// Returns whether `f32` arithmetic finds a hit. Larger children are visited first, whatever their
/// order along the ray: they are more likely to stop it.
#[inline(never)]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn any_hit(tree: &Tree<'_>, ray: &Ray) -> bool {
    if tree.is_empty() {
        return false;
    }
    let twin = TwinRay::new(ray);
    let limit = _mm256_set1_ps(ray.t_max);
    let mut stack = Stack::new();
    let mut next = Child::ROOT;
    loop {
        if next.is_node() {
            let node = tree.node(next);
            let met = node_test(node, &twin, limit);
            if met.mask != 0 {
                next = node.child(met.mask.trailing_zeros());
                let rest = met.mask & (met.mask - 1);
                if rest != 0 {
                    let children = order::packed(node.all_children(), rest);
                    stack.push_first_without_keys(rest.count_ones() as usize, children);
                }
                continue;
            }
        } else {
            if next == Child::END {
                return false;
            }
            let (_, hits) = leaf_test(tree.rows(next), &twin, limit);
            if hits != 0 {
                return true;
            }
        }
        next = stack.pop();
    }
}
