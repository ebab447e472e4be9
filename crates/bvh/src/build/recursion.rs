//! The top-down recursion: which part of the triangles becomes which node.

use super::binned;
use super::quality::Settings;
use crate::tree::MAX_DEPTH;
use estoc_core::{Aabb, CancelToken, PrimId, Triangle};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A triangle's box and name: all that building looks at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reference {
    pub(super) min: [f32; 3],
    pub(super) max: [f32; 3],
    prim: PrimId,
}

impl Reference {
    pub(super) fn new(prim: PrimId, triangle: &Triangle) -> Self {
        let bounds = Aabb::of_triangle(triangle);
        // Adding +0 turns -0 into +0: boxes then have the same bits whatever the order in
        // which they are joined.
        Reference {
            min: bounds.min().to_array().map(|x| x + 0.0),
            max: bounds.max().to_array().map(|x| x + 0.0),
            prim,
        }
    }

    pub(super) fn prim(&self) -> PrimId {
        self.prim
    }

    /// Twice the centre, in `f64` so that no box overflows.
    pub(super) fn centre(&self, axis: usize) -> f64 {
        f64::from(self.min[axis]) + f64::from(self.max[axis])
    }
}

/// The tree while it is built.
#[derive(Debug)]
pub(crate) enum BuildNode {
    Leaf {
        bounds: Bounds,
        first: usize,
        len: usize,
    },
    Inner {
        bounds: Bounds,
        children: Box<[BuildNode; 2]>,
    },
}

impl BuildNode {
    pub(crate) fn bounds(&self) -> &Bounds {
        match self {
            BuildNode::Leaf { bounds, .. } | BuildNode::Inner { bounds, .. } => bounds,
        }
    }

    /// The first slot of all triangles below.
    pub(crate) fn first_slot(&self) -> usize {
        let mut node = self;
        loop {
            match node {
                BuildNode::Leaf { first, .. } => return *first,
                BuildNode::Inner { children, .. } => node = &children[0],
            }
        }
    }

    /// About equal leaves of the same box, of a leaf that is too large for one; nothing else
    /// has any.
    pub(crate) fn parts(&self, most: usize) -> Vec<BuildNode> {
        let &BuildNode::Leaf { bounds, first, len } = self else {
            return Vec::new();
        };
        let parts = most.min(len);
        let edge = |i: usize| first + i * len / parts;
        let part = |i: usize| BuildNode::Leaf {
            bounds,
            first: edge(i),
            len: edge(i + 1) - edge(i),
        };
        (0..parts).map(part).collect()
    }
}

/// A box that grows; starts empty.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) min: [f32; 3],
    pub(crate) max: [f32; 3],
}

impl Bounds {
    pub(super) const EMPTY: Bounds = Bounds {
        min: [f32::INFINITY; 3],
        max: [f32::NEG_INFINITY; 3],
    };

    pub(super) fn add(&mut self, min: &[f32; 3], max: &[f32; 3]) {
        for axis in 0..3 {
            self.min[axis] = self.min[axis].min(min[axis]);
            self.max[axis] = self.max[axis].max(max[axis]);
        }
    }

    pub(super) fn of(references: &[Reference]) -> Self {
        let mut bounds = Bounds::EMPTY;
        for reference in references {
            bounds.add(&reference.min, &reference.max);
        }
        bounds
    }

    /// Half the surface, in `f64` so that nothing overflows; 0 when empty.
    pub(crate) fn half_area(&self) -> f64 {
        let [x, y, z] =
            [0, 1, 2].map(|i| (f64::from(self.max[i]) - f64::from(self.min[i])).max(0.0));
        x * y + y * z + z * x
    }
}

/// From this depth on, groups are halved whatever it costs, so that depth is bounded:
/// 2^32 triangles are gone after 32 halvings.
const HALVE_FROM: usize = MAX_DEPTH - 32;

/// Groups of this size and more are worth handing to another thread.
const FORK_FROM: usize = 4096;

pub(super) struct Builder<'a> {
    settings: Settings,
    cancel: Option<&'a CancelToken>,
    progress: Option<&'a (dyn Fn(usize) + Sync)>,
    placed: AtomicUsize,
}

impl<'a> Builder<'a> {
    pub(super) fn new(
        settings: Settings,
        cancel: Option<&'a CancelToken>,
        progress: Option<&'a (dyn Fn(usize) + Sync)>,
    ) -> Self {
        Builder {
            settings,
            cancel,
            progress,
            placed: AtomicUsize::new(0),
        }
    }

    /// Brings the triangles into the order of the leaves. The outer `None` means cancelled,
    /// the inner one that there are no triangles.
    pub(super) fn build(&self, references: &mut [Reference]) -> Option<Option<BuildNode>> {
        if references.is_empty() {
            return Some(None);
        }
        if self.cancel.is_some_and(CancelToken::is_cancelled) {
            return None;
        }
        let root = self.node(references, 0, 0)?;
        if references.len() < FORK_FROM {
            self.report(references.len());
        }
        Some(Some(root))
    }

    fn node(&self, part: &mut [Reference], first: usize, depth: usize) -> Option<BuildNode> {
        let len = part.len();
        let forks = len >= FORK_FROM;
        if forks && self.cancel.is_some_and(CancelToken::is_cancelled) {
            return None;
        }
        let plan = binned::plan(part, &self.settings, depth < HALVE_FROM);
        let Some(split) = plan.split else {
            return Some(BuildNode::Leaf {
                bounds: plan.bounds,
                first,
                len,
            });
        };
        let middle = split.apply(part);
        let (left, right) = part.split_at_mut(middle);
        let mut go_left = || self.node(left, first, depth + 1);
        let mut go_right = || self.node(right, first + middle, depth + 1);
        let (left, right) = if forks {
            rayon::join(go_left, go_right)
        } else {
            (go_left(), go_right())
        };
        if forks {
            // The groups that no thread will be shared out of any more, each once.
            for len in [middle, len - middle] {
                if len < FORK_FROM {
                    self.report(len);
                }
            }
        }
        Some(BuildNode::Inner {
            bounds: plan.bounds,
            children: Box::new([left?, right?]),
        })
    }

    fn report(&self, len: usize) {
        if let Some(progress) = self.progress {
            progress(self.placed.fetch_add(len, Ordering::Relaxed) + len);
        }
    }
}
