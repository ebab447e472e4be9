//! The walk of a ray over placed meshes.

use super::placed_mesh::{MeshItems, ObjectRay, PlacedMesh};
use super::world_ray::WorldRay;
use crate::simd_level::at_level;
use crate::traverse::kernel_ray::grant;
use crate::traverse::leaf_block::with_block;
use crate::traverse::leaf_visits::smaller;
use crate::traverse::mapped::LARGE;
use crate::traverse::nearest_certain::NearestCertain;
use crate::traverse::plain_ray::leaf::{self, SpanRay};
use crate::traverse::plain_ray::ray::PlainRay;
use crate::traverse::prefetch::{self, Ahead};
use crate::traverse::single_walk::{LeafVisitor, descend};
use crate::traverse::skipped::Skipped;
use crate::traverse::wanted::{Any, Closest, Wanted};
use crate::wide::{ItemTree, Node, Tag, WIDTH};
use core::ops::ControlFlow;
use estoc_core::exact::round_blurred;
use estoc_core::{Hit, PrimId, Ray, Triangle};
use fearless_simd::{Level, Simd};

/// The first hit of a ray on placed meshes.
#[derive(Clone, Debug)]
pub struct FirstPlaced {
    /// The number of the placement.
    pub number: u32,
    /// The hit, or the triangle that is hit if the rounding of the numbers is not certain.
    pub hit: Result<Hit, (PrimId, Triangle)>,
}

/// Returns the first hit on a ray, other than one on the triangle `skip`; `None` if that is not certain.
pub(crate) fn closest(
    (tree, items): (&ItemTree, &impl MeshItems),
    level: Level,
    ray: &Ray,
    skip: Option<(u32, PrimId)>,
) -> Option<Option<FirstPlaced>> {
    at_level!(move level, simd => {
        let visitor = walk(simd, Closest, (tree, items), ray, skip)?;
        if visitor.is_unsure {
            return None;
        }
        match visitor.best {
            None => Some(None),
            Some(best) => visitor.hit(simd, &best).map(Some),
        }
    })
}

/// Returns whether a ray hits anything other than the triangle `skip`; `None` if that is not certain.
pub(crate) fn any(
    (tree, items): (&ItemTree, &impl MeshItems),
    level: Level,
    ray: &Ray,
    skip: Option<(u32, PrimId)>,
) -> Option<bool> {
    at_level!(move level, simd => {
        let visitor = walk(simd, Any, (tree, items), ray, skip)?;
        let is_hit = visitor.is_hit;
        (is_hit || !visitor.is_unsure).then_some(is_hit)
    })
}

#[inline(always)]
fn walk<'a, S: Simd, W: Wanted, I: MeshItems>(
    simd: S,
    wanted: W,
    (tree, items): (&'a ItemTree, &'a I),
    ray: &'a Ray,
    skip: Option<(u32, PrimId)>,
) -> Option<MeshVisitor<'a, S, W, I>> {
    let measures = &tree.measures;
    if tree.nodes.is_empty() {
        return None;
    }
    let plain = PlainRay::of(simd, ray, measures)?;
    let mut visitor = MeshVisitor {
        tree,
        items,
        is_large: tree.nodes.len() >= LARGE,
        world: WorldRay::of(simd, ray, plain.t_min, measures),
        wanted,
        skip,
        best: None,
        is_hit: false,
        t_limit: f64::from(plain.t_max),
        is_unsure: false,
    };
    let start = (grant(plain.t_max), Tag::NODE, 0);
    let nodes = (&tree.nodes[..], Ahead::Nothing);
    let _ = descend(simd, Closest, nodes, &plain, start, &(), &mut visitor);
    Some(visitor)
}

/// A hit, with an interval of its parameter in the world.
#[derive(Clone, Copy)]
struct FoundHit {
    from: f64,
    to: f64,
    item: u32,
    /// The parameter from which on the ray was mapped.
    start: f32,
    place: (usize, usize, usize),
}

struct MeshVisitor<'a, S: Simd, W, I> {
    tree: &'a ItemTree,
    items: &'a I,
    is_large: bool,
    world: WorldRay<S>,
    wanted: W,
    skip: Option<(u32, PrimId)>,
    /// The nearest hit so far.
    best: Option<FoundHit>,
    /// Whether there is a hit, where any will do.
    is_hit: bool,
    t_limit: f64,
    /// Whether something is left open that may change the answer.
    is_unsure: bool,
}

impl<S: Simd, W: Wanted, I: MeshItems> LeafVisitor<S> for &mut MeshVisitor<'_, S, W, I> {
    #[inline(always)]
    fn visit(
        &mut self,
        simd: S,
        (slot, _): (usize, usize),
        limit: f32,
        entry: f32,
    ) -> ControlFlow<(), f32> {
        let t_min = self.world.t_min;
        let start = if entry > t_min { entry } else { t_min };
        let item = slot as u32;
        let Some(mesh) = self.items.mesh(item) else {
            return self.leave_open(limit);
        };
        let skipped = match self.skip {
            Some((number, prim)) if number == mesh.number => Skipped::from(prim),
            _ => Skipped::NONE,
        };
        match self.wanted.ends_at_any() {
            true => self.enter_for_any(simd, &mesh, start, skipped, limit),
            false => self.enter(simd, &mesh, (item, start), skipped, limit),
        }
    }

    #[inline(always)]
    fn prefetch(&self, node: &Node, mut children: u32) {
        while self.is_large && children != 0 {
            let lane = children.trailing_zeros() as usize % WIDTH;
            children &= children - 1;
            match Tag(node.tags[lane]).len() {
                0 => prefetch::node(&self.tree.nodes, node.place[lane]),
                _ => self.items.prefetch(node.place[lane]),
            }
        }
    }
}

impl<S: Simd, W: Wanted, I: MeshItems> MeshVisitor<'_, S, W, I> {
    /// Goes on only if a certain hit elsewhere may answer the question.
    #[inline(always)]
    fn leave_open(&mut self, limit: f32) -> ControlFlow<(), f32> {
        self.is_unsure = true;
        match self.wanted.ends_at_any() {
            true => ControlFlow::Continue(limit),
            false => ControlFlow::Break(()),
        }
    }

    /// Looks for a nearer hit on a mesh.
    #[inline(always)]
    fn enter(
        &mut self,
        simd: S,
        placed: &PlacedMesh<'_>,
        (item, start): (u32, f32),
        skipped: Skipped,
        limit: f32,
    ) -> ControlFlow<(), f32> {
        let Some(ObjectRay {
            plain,
            ray,
            moved,
            ends,
        }) = &placed.map(simd, &self.world, start)
        else {
            return self.leave_open(limit);
        };
        let tree = placed.tree;
        let leaves = tree.leaves.blocks();
        let inverse = plain.inverse_dir;
        let mut leaf_ray = None;
        let mut kept = NearestCertain::NONE;
        let visited = descend(
            simd,
            Closest,
            (
                &tree.nodes,
                Ahead::of_ray(tree, leaves, Closest, f32::INFINITY),
            ),
            plain,
            (ends.limit(self.t_limit), Tag::NODE, 0),
            &(),
            #[inline(always)]
            |simd: S, (first, len): (usize, usize), limit: f32| {
                let leaf_ray = &*leaf_ray.get_or_insert_with(
                    #[inline(always)]
                    || SpanRay::of_mapped((ray, *moved), plain, &inverse),
                );
                let mut spans = with_block(
                    simd,
                    leaves,
                    (first, len),
                    #[inline(always)]
                    |block| leaf::spans(simd, block, leaf_ray, limit),
                );
                if spans.passed.maybe == 0 {
                    return ControlFlow::Continue(limit);
                }
                spans.passed = skipped.leave(simd, leaves, (first, len), spans.passed);
                match kept.and(&spans, first, len) {
                    Some(nearer) => kept = nearer,
                    None => return ControlFlow::Break(()),
                }
                ControlFlow::Continue(smaller(grant(kept.limit()), limit))
            },
        );
        if visited.is_break() {
            return self.leave_open(limit);
        }
        let Some(place) = kept.place() else {
            return ControlFlow::Continue(limit);
        };
        let (from, to) = ends.own_interval(kept.from(), kept.limit());
        match self.best {
            Some(best) if from > best.to => return ControlFlow::Continue(limit),
            Some(best) if to >= best.from => return self.leave_open(limit),
            _ => {}
        }
        self.best = Some(FoundHit {
            from,
            to,
            item,
            start,
            place,
        });
        self.t_limit = to;
        ControlFlow::Continue(smaller(grant((to as f32).next_up()), limit))
    }

    /// Looks for any hit on a mesh. Apart from the walk above: in one function, any hits take 8 to 12 % longer, and first hits 2 % less.
    #[inline(never)]
    fn enter_for_any(
        &mut self,
        simd: S,
        placed: &PlacedMesh<'_>,
        start: f32,
        skipped: Skipped,
        limit: f32,
    ) -> ControlFlow<(), f32> {
        simd.vectorize(
            #[inline(always)]
            || {
                let Some(ObjectRay {
                    plain,
                    ray,
                    moved,
                    ends,
                }) = &placed.map(simd, &self.world, start)
                else {
                    return self.leave_open(limit);
                };
                let tree = placed.tree;
                let leaves = tree.leaves.blocks();
                let inverse = plain.inverse_dir;
                let mut leaf_ray = None;
                let mut is_open = false;
                let own_limit = ends.limit(self.t_limit);
                let found = descend(
                    simd,
                    Any,
                    (&tree.nodes, Ahead::of_ray(tree, leaves, Any, f32::INFINITY)),
                    plain,
                    (own_limit, Tag::NODE, 0),
                    &(),
                    #[inline(always)]
                    |simd: S, (first, len): (usize, usize), limit: f32| {
                        let leaf_ray = &*leaf_ray.get_or_insert_with(
                            #[inline(always)]
                            || SpanRay::of_mapped((ray, *moved), plain, &inverse),
                        );
                        let passed = with_block(
                            simd,
                            leaves,
                            (first, len),
                            #[inline(always)]
                            |block| leaf::spans(simd, block, leaf_ray, own_limit).passed,
                        );
                        let passed = skipped.leave(simd, leaves, (first, len), passed);
                        is_open |= passed.maybe != passed.certain;
                        match passed.certain {
                            0 => ControlFlow::Continue(limit),
                            _ => ControlFlow::Break(()),
                        }
                    },
                );
                if found.is_break() {
                    self.is_hit = true;
                    return ControlFlow::Break(());
                }
                match is_open {
                    true => self.leave_open(limit),
                    false => ControlFlow::Continue(limit),
                }
            },
        )
    }

    /// Returns the hit that has remained, with its numbers if their rounding is certain.
    #[inline(always)]
    fn hit(&self, simd: S, found: &FoundHit) -> Option<FirstPlaced> {
        let placed = self.items.mesh(found.item)?;
        let leaves = placed.tree.leaves.blocks();
        let (first, len, place) = found.place;
        let ray = placed.blurred(simd, &self.world, found.start);
        let prim = leaves.prim(first, len, place);
        let rounded = with_block(
            simd,
            leaves,
            (first, len),
            #[inline(always)]
            |block| round_blurred(simd, &ray, prim, leaf::corners(simd, block, place)),
        );
        Some(FirstPlaced {
            number: placed.number,
            hit: rounded.ok_or_else(|| leaves.triangle(first, len, place)),
        })
    }
}
