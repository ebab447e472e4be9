//! Traversal of a tree over items with rays that share it.

use super::bundle_descent::{BundleVisitor, visit_parts};
use super::kernel_lanes::{KernelLanes, Unit};
use super::mapped_rays::MappedRays;
use super::{BundleItemSink, BundleState};
use crate::traverse::bundle::bundle_walk::Item;
use crate::traverse::mapped::item_walk::LARGE;
use crate::traverse::prefetch;
use crate::wide::{ItemTree, Tag};
use fearless_simd::{Level, Simd, f32x16};

/// Offers every item whose box some of these rays may meet up to their limits, nearer ones first. Returns
/// the rays with which nothing was done, as bits: those that are unfit for this, or for `f32`.
pub(crate) fn visit_items_bundled(
    tree: &ItemTree,
    level: Level,
    rays: (&MappedRays, u32),
    state: &mut BundleState,
    sink: &mut dyn BundleItemSink,
) -> u32 {
    let unit = Unit {
        origin: tree.frame.origin,
        exponent: tree.frame.exponent,
        reach: tree.measures.reach,
    };
    let mut visitor = ItemBundleVisitor {
        tree,
        is_large: tree.nodes.len() >= LARGE,
        sink,
    };
    visit_parts(level, &tree.nodes, rays, &unit, state, &mut visitor)
}

struct ItemBundleVisitor<'a> {
    tree: &'a ItemTree,
    is_large: bool,
    sink: &'a mut dyn BundleItemSink,
}

impl BundleVisitor for ItemBundleVisitor<'_> {
    const FEW: u32 = 0;

    #[inline(always)]
    fn visit_leaf<S: Simd>(
        &mut self,
        _: S,
        rays: &KernelLanes,
        item: Item,
        _: f32x16<S>,
        state: &mut BundleState,
    ) -> bool {
        // Without its lowest bits, the key is no greater than where the first ray enters the box.
        let entry = rays.own_parameters(f32::from_bits(item.key & !Tag::BITS));
        let number = self.tree.item(item.place as usize);
        self.sink.enter(number, item.lanes, &entry, state);
        true
    }

    #[inline(always)]
    fn prefetch(&self, children: &[Item]) {
        if !self.is_large {
            return;
        }
        for item in children {
            match Tag::of(item.key).len() {
                0 => prefetch::node(&self.tree.nodes, item.place),
                _ => self.sink.prefetch(self.tree.item(item.place as usize)),
            }
        }
    }
}
