//! From the root to the triangles that a ray may hit.

mod steps;

pub use steps::Steps;

use crate::tree::{Bvh, Content, MAX_DEPTH};
use estoc_core::exact::RayQuestion;
use estoc_core::{BoxQuestion, Collect};
use steps::Watch;

/// Offers the collector the triangles of every leaf whose box the ray may hit up to the
/// collector's limit, nearer boxes first.
///
/// A box that is entered exactly at the limit is still visited: of equal hits the lowest id
/// counts, wherever it lies.
pub(crate) fn nearest_first<C: Collect>(
    bvh: &Bvh,
    ray: &RayQuestion,
    collector: &mut C,
    watch: &mut impl Watch,
) {
    let boxes = BoxQuestion::new(ray);
    let nodes = bvh.nodes();
    // Each step down leaves at most one sibling behind, and no leaf is deeper than MAX_DEPTH.
    let mut stack = [(0, 0.0); MAX_DEPTH];
    let mut waiting = 0;

    let Some(root) = nodes.first() else { return };
    if boxes
        .enter(root.min, root.max, collector.t_limit())
        .is_none()
    {
        return;
    }
    let mut place = 0;
    loop {
        watch.node();
        match nodes[place].content() {
            Content::Inner { left } => {
                let limit = collector.t_limit();
                let enter = |child: usize| boxes.enter(nodes[child].min, nodes[child].max, limit);
                match (enter(left), enter(left + 1)) {
                    (Some(a), Some(b)) => {
                        let (near, far) = if a <= b {
                            (left, (left + 1, b))
                        } else {
                            (left + 1, (left, a))
                        };
                        stack[waiting] = far;
                        waiting += 1;
                        place = near;
                        continue;
                    }
                    (Some(_), None) => {
                        place = left;
                        continue;
                    }
                    (None, Some(_)) => {
                        place = left + 1;
                        continue;
                    }
                    (None, None) => {}
                }
            }
            Content::Leaf { first, len } => {
                for leaf in &bvh.leaf_triangles()[first..first + len] {
                    watch.triangle();
                    if collector.offer(leaf.prim, &leaf.triangle).is_break() {
                        return;
                    }
                }
            }
        }
        // Back to the last sibling left behind that may still matter.
        loop {
            if waiting == 0 {
                return;
            }
            waiting -= 1;
            let (next, entry) = stack[waiting];
            if entry <= collector.t_limit() {
                place = next;
                break;
            }
        }
    }
}
