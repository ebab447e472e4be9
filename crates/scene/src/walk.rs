//! Traversal of a scene with one ray.
//!
//! The boxes of placements are tested in the world, in `f64` with bounds: those of a scene that is
//! nested are mapped there. In each placement of a mesh that the ray may meet, the ray is mapped to the
//! mesh's space with bounds of its errors, and traverses the mesh's tree; if that is not possible, for
//! a matrix close to singular or numbers beyond `f32`, the boxes of that tree are mapped to the world
//! instead. What remains is offered as a placed triangle, about which the world's ray decides.

use crate::inverse::Inverse;
use crate::placed_sink::{MeshPlace, PlacedSink};
use crate::placement_tree::{MOST_WAITING, TreeChild, TreeNode};
use crate::snapshot::{Placed, SceneObject, SceneSnapshot, composed};
use crate::world_box::{WideBox, WideBoxTest};
use arrayvec::ArrayVec;
use core::ops::ControlFlow;
use estoc_bvh::Bvh;
use estoc_core::exact::PreparedRay;
use estoc_core::{Collector, Engine, PlacedTriangle, PlacementMatrix, ScenePath};

/// A ray under way.
pub(crate) struct Walk<'a, 'r, 'c> {
    ray: &'a PreparedRay<'r>,
    boxes: WideBoxTest,
    collector: &'a mut Collector<'c, PlacedTriangle>,
}

/// What the placements from the world down to a scene amount to.
#[derive(Clone, Copy)]
pub(crate) struct Outer<'a> {
    /// `None` for the world itself.
    matrix: Option<&'a PlacementMatrix>,
    path: ScenePath,
    mask: u32,
    is_reversed: bool,
}

impl Outer<'_> {
    pub(crate) const WORLD: Outer<'static> = Outer {
        matrix: None,
        path: ScenePath::ROOT,
        mask: u32::MAX,
        is_reversed: false,
    };
}

impl<'a, 'r, 'c> Walk<'a, 'r, 'c> {
    pub(crate) fn new(
        ray: &'a PreparedRay<'r>,
        collector: &'a mut Collector<'c, PlacedTriangle>,
    ) -> Self {
        Walk {
            ray,
            boxes: WideBoxTest::new(ray),
            collector,
        }
    }

    /// Offers what the ray may hit in a scene, nearer boxes first.
    pub(crate) fn scene(&mut self, scene: &SceneSnapshot, outer: Outer<'_>) -> ControlFlow<()> {
        let Some(root) = scene.tree.root() else {
            return ControlFlow::Continue(());
        };
        let enter = |walk: &Self, node: &TreeNode| {
            let world = match outer.matrix {
                None => node.bounds,
                Some(matrix) => node.bounds.image(matrix, Some(scene.reach)),
            };
            walk.boxes.enter(&world, walk.collector.t_limit())
        };
        let mut waiting = ArrayVec::<(TreeChild, f64), MOST_WAITING>::new();
        if let Some(entry) = enter(self, root) {
            waiting.push((root.child, entry));
        }
        while let Some((child, entry)) = waiting.pop() {
            if entry > self.collector.t_limit() {
                continue;
            }
            match child {
                TreeChild::Placement(index) => {
                    let (number, placed) = scene.by_index(index);
                    self.placement(*number, placed, outer)?;
                }
                TreeChild::Nodes(first) => {
                    let [a, b] = scene.tree.pair(first).map(|node| (node, enter(self, node)));
                    let (near, far) = match (a.1, b.1) {
                        (Some(at), Some(bt)) if bt < at => (b, a),
                        _ => (a, b),
                    };
                    for (node, entry) in [far, near] {
                        if let Some(entry) = entry {
                            waiting.push((node.child, entry));
                        }
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn placement(&mut self, number: u32, placed: &Placed, outer: Outer<'_>) -> ControlFlow<()> {
        let placement = &placed.placement;
        let mask = outer.mask & placement.get_mask();
        if !self.collector.may_see(mask) {
            return ControlFlow::Continue(());
        }
        let own = placement.matrix();
        let whole;
        let (matrix, is_own) = match outer.matrix {
            None => (own, true),
            Some(outer) => {
                whole = composed(outer, own);
                (&whole, false)
            }
        };
        let path = outer.path.then(number).expect("as deep as was checked");
        let is_reversed = outer.is_reversed != placement.is_reversed();
        match placement.object() {
            SceneObject::Scene(scene) => {
                let matrix = Some(matrix);
                let inner = Outer {
                    matrix,
                    path,
                    mask,
                    is_reversed,
                };
                self.scene(scene, inner)
            }
            SceneObject::Mesh(bvh) => {
                let place = MeshPlace {
                    path,
                    matrix,
                    mask,
                    is_reversed,
                    masks: bvh.masks(),
                };
                let inverse = match is_own {
                    true => placed.inverse,
                    false => Inverse::of(matrix),
                };
                self.mesh(bvh, place, inverse)
            }
        }
    }

    fn mesh(
        &mut self,
        bvh: &Bvh,
        place: MeshPlace<'_>,
        inverse: Option<Inverse>,
    ) -> ControlFlow<()> {
        let mut sink = PlacedSink {
            collector: &mut *self.collector,
            place,
            is_done: false,
        };
        let is_fit = inverse.is_some_and(|inverse| {
            let mapped = inverse.map(self.ray);
            bvh.visit_mapped(&mapped, &mut sink)
        });
        if !is_fit {
            let enter = |min: [f32; 3], max: [f32; 3], t_limit: f64| {
                let [min, max] = [min, max].map(|p| p.map(f64::from));
                let world = WideBox { min, max }.image(place.matrix, None);
                self.boxes.enter(&world, t_limit)
            };
            bvh.visit_boxes(&enter, &mut sink);
        }
        match sink.is_done {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}
