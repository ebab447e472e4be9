//! The walk of a ray over placed meshes.

use super::inverse_map::{InverseMap, ObjectRay};
use super::placed_hit::{FirstPlaced, FoundHit, IN_WORLD, Outer, first_placed, inner_hit};
use super::placed_object::{Placed, PlacedObjects, PlacedTree, prefetch_children};
use super::world_ray::WorldRay;
use crate::simd_level::at_level;
use crate::traverse::kernel_ray::grant;
use crate::traverse::leaf_block::with_block;
use crate::traverse::leaf_visits::smaller;
use crate::traverse::mapped::LARGE;
use crate::traverse::nearest_certain::NearestCertain;
use crate::traverse::plain_ray::leaf::{self, SpanRay};
use crate::traverse::plain_ray::ray::PlainRay;
use crate::traverse::prefetch::Ahead;
use crate::traverse::single_walk::{LeafVisitor, descend};
use crate::traverse::skipped::Skipped;
use crate::traverse::wanted::{Any, Closest, Wanted};
use crate::wide::{ItemTree, Layout, Node, Tag, WideTree};
use core::ops::ControlFlow;
use estoc_core::{PrimId, Ray, ScenePath};
use fearless_simd::{Level, Simd};

/// A triangle that a ray skips: the numbers of the placements that lead to its mesh, and its name there.
pub type PlacedSkip<'a> = Option<(&'a [u32], PrimId)>;

/// Returns the same as it is named in what is placed by a number.
#[inline(always)]
pub(super) fn below(skip: PlacedSkip<'_>, number: u32) -> PlacedSkip<'_> {
    match skip {
        Some(([first, rest @ ..], prim)) if *first == number => Some((rest, prim)),
        _ => None,
    }
}

/// Returns the first hit on a ray, other than one on the triangle `skip`; `None` if that is not certain.
pub(crate) fn closest(
    (tree, items): (&ItemTree, &impl PlacedObjects),
    level: Level,
    ray: &Ray,
    skip: PlacedSkip<'_>,
) -> Option<Option<FirstPlaced>> {
    at_level!(move level, simd => {
        let visitor = walk(simd, Closest, (tree, items), ray, skip)?;
        if visitor.is_unsure {
            return None;
        }
        match &visitor.best {
            None => Some(None),
            Some(best) => first_placed(simd, items, &visitor.world, best, &visitor.inner).map(Some),
        }
    })
}

/// Returns whether a ray hits anything other than the triangle `skip`; `None` if that is not certain.
pub(crate) fn any(
    (tree, items): (&ItemTree, &impl PlacedObjects),
    level: Level,
    ray: &Ray,
    skip: PlacedSkip<'_>,
) -> Option<bool> {
    at_level!(move level, simd => {
        let visitor = walk(simd, Any, (tree, items), ray, skip)?;
        let is_hit = visitor.is_hit;
        (is_hit || !visitor.is_unsure).then_some(is_hit)
    })
}

#[inline(always)]
fn walk<'a, S: Simd, W: Wanted, I: PlacedObjects>(
    simd: S,
    wanted: W,
    (tree, items): (&'a ItemTree, &'a I),
    ray: &'a Ray,
    skip: PlacedSkip<'a>,
) -> Option<PlacedVisitor<'a, S, W, I>> {
    let measures = &tree.measures;
    if tree.nodes.is_empty() {
        return None;
    }
    let plain = PlainRay::of(simd, ray, measures)?;
    let mut visitor = PlacedVisitor {
        tree,
        items,
        is_large: tree.nodes.len() >= LARGE,
        world: WorldRay::of(simd, ray, plain.t_min, measures),
        path: ScenePath::ROOT,
        outer: None,
        wanted,
        skip,
        best: None,
        inner: None,
        is_hit: false,
        t_limit: f64::from(plain.t_max),
        is_unsure: false,
    };
    visitor.search(simd, &plain, grant(plain.t_max));
    Some(visitor)
}

/// A hit in a world that is placed in this one, with an interval of its parameter here.
pub(super) struct InnerHit {
    pub(super) from: f64,
    to: f64,
    pub(super) hit: FirstPlaced,
}

/// What was found in a world that is placed in this one.
pub(super) enum InnerFound {
    Open,
    Nothing,
    Any,
    First(InnerHit),
}

pub(super) struct PlacedVisitor<'a, S: Simd, W, I> {
    pub(super) tree: &'a ItemTree,
    pub(super) items: &'a I,
    pub(super) is_large: bool,
    pub(super) world: WorldRay<S>,
    /// The placements that lead to this world, and how rays were mapped to it; `None` for the outermost.
    pub(super) path: ScenePath,
    pub(super) outer: Option<&'a Outer<'a, S>>,
    pub(super) wanted: W,
    pub(super) skip: PlacedSkip<'a>,
    /// The nearest hit so far.
    pub(super) best: Option<FoundHit>,
    /// That hit, if it lies in a world that is placed in this one.
    pub(super) inner: Option<FirstPlaced>,
    /// Whether there is a hit, where any will do.
    pub(super) is_hit: bool,
    pub(super) t_limit: f64,
    /// Whether something is left open that may change the answer.
    pub(super) is_unsure: bool,
}

impl<S: Simd, W: Wanted, I: PlacedObjects> PlacedVisitor<'_, S, W, I> {
    /// Visits what a ray meets up to a limit, for WebAssembly in one place, as each would be 8 kB.
    #[cfg_attr(target_family = "wasm", inline(never))]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn search(&mut self, simd: S, plain: &PlainRay<S>, limit: f32) {
        let nodes = (&self.tree.nodes[..], Ahead::Nothing);
        let start = (limit, Tag::NODE, 0);
        let _ = descend(simd, Closest, nodes, plain, start, &(), self);
    }
}

impl<S: Simd, W: Wanted, I: PlacedObjects> LeafVisitor<S> for &mut PlacedVisitor<'_, S, W, I> {
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
        let Some(Placed {
            number,
            inverse,
            tree,
        }) = self.items.placed(item)
        else {
            return self.leave_open(limit);
        };
        let skip = below(self.skip, number);
        let tree = match tree {
            PlacedTree::Mesh(tree) if tree.leaves.layout() == Layout::Fast => tree,
            PlacedTree::Mesh(_) => return self.leave_open(limit),
            PlacedTree::World(tree, items) => {
                // A copy: the call would keep all of the visitor in memory.
                let world = self.world;
                let outer = Outer {
                    world: &world,
                    inverse,
                    start,
                    outer: self.outer,
                    is_here: false,
                };
                let path = self.path.then(number);
                let found = in_world(
                    simd,
                    self.wanted,
                    (tree, items),
                    &outer,
                    path,
                    skip,
                    self.t_limit,
                );
                return self.take_inner(found, (item, start), limit);
            }
        };
        let skipped = match skip {
            Some(([], prim)) => Skipped::from(prim),
            _ => Skipped::NONE,
        };
        let placed = (inverse, tree);
        match self.wanted.ends_at_any() {
            true => self.enter_for_any(simd, placed, start, skipped, limit),
            false => self.enter(simd, placed, (item, start), skipped, limit),
        }
    }

    #[inline(always)]
    fn prefetch(&self, node: &Node, children: u32) {
        if self.is_large {
            prefetch_children(self.tree, self.items, node, children);
        }
    }
}

impl<S: Simd, W: Wanted, I: PlacedObjects> PlacedVisitor<'_, S, W, I> {
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
        (inverse, tree): (&InverseMap, &WideTree),
        (item, start): (u32, f32),
        skipped: Skipped,
        limit: f32,
    ) -> ControlFlow<(), f32> {
        let Some((object, _)) = inverse.map(simd, &self.world, start, &tree.measures) else {
            return self.leave_open(limit);
        };
        let ObjectRay {
            plain,
            ray,
            moved,
            ends,
        } = &object;
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
        let (from, to) = ends.own_interval(kept.from().into(), kept.limit().into());
        let found = FoundHit {
            from,
            to,
            item,
            start,
            place,
        };
        self.keep(found, limit)
    }

    /// Takes in what was found in a world that is placed in this one.
    #[inline(always)]
    fn take_inner(
        &mut self,
        found: InnerFound,
        (item, start): (u32, f32),
        limit: f32,
    ) -> ControlFlow<(), f32> {
        match found {
            InnerFound::Open => self.leave_open(limit),
            InnerFound::Nothing => ControlFlow::Continue(limit),
            InnerFound::Any => {
                self.is_hit = true;
                ControlFlow::Break(())
            }
            InnerFound::First(InnerHit { from, to, hit }) => {
                let is_behind = self.best.is_some_and(|best| from > best.to);
                if !is_behind {
                    self.inner = Some(hit);
                }
                let found = FoundHit {
                    from,
                    to,
                    item,
                    start,
                    place: IN_WORLD,
                };
                self.keep(found, limit)
            }
        }
    }

    /// Takes in a hit.
    #[inline(always)]
    fn keep(&mut self, found: FoundHit, limit: f32) -> ControlFlow<(), f32> {
        match &self.best {
            Some(best) if found.from > best.to => return ControlFlow::Continue(limit),
            Some(best) if found.to >= best.from => return self.leave_open(limit),
            _ => {}
        }
        self.t_limit = found.to;
        self.best = Some(found);
        ControlFlow::Continue(smaller(grant((self.t_limit as f32).next_up()), limit))
    }

    /// Looks for any hit on a mesh. Apart from the walk above: in one function, any hits take 8 to 12 % longer,
    /// and first hits 2 % less.
    #[inline(never)]
    fn enter_for_any(
        &mut self,
        simd: S,
        (inverse, tree): (&InverseMap, &WideTree),
        start: f32,
        skipped: Skipped,
        limit: f32,
    ) -> ControlFlow<(), f32> {
        simd.vectorize(
            #[inline(always)]
            || {
                let object = inverse.map(simd, &self.world, start, &tree.measures);
                let Some((object, _)) = object else {
                    return self.leave_open(limit);
                };
                let ObjectRay {
                    plain,
                    ray,
                    moved,
                    ends,
                } = &object;
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
}

/// Looks for the first hit, or any, in a world that is placed in another by a path, up to a limit there.
#[inline(never)]
pub(super) fn in_world<S: Simd, W: Wanted, I: PlacedObjects>(
    simd: S,
    wanted: W,
    (tree, items): (&ItemTree, &I),
    outer: &Outer<'_, S>,
    path: Option<ScenePath>,
    skip: PlacedSkip<'_>,
    t_limit: f64,
) -> InnerFound {
    simd.vectorize(
        #[inline(always)]
        || {
            let Outer {
                world,
                inverse,
                start,
                ..
            } = *outer;
            let object = inverse.map(simd, world, start, &tree.measures);
            let (Some((object, wide)), Some(path)) = (object, path) else {
                return InnerFound::Open;
            };
            let limit = object.ends.limit(t_limit);
            let mut visitor = PlacedVisitor {
                tree,
                items,
                is_large: tree.nodes.len() >= LARGE,
                world: WorldRay::of_object((&object, &wide), &tree.measures),
                path,
                outer: Some(outer),
                wanted,
                skip,
                best: None,
                inner: None,
                is_hit: false,
                t_limit: limit.into(),
                is_unsure: false,
            };
            visitor.search(simd, &object.plain, limit);
            if visitor.is_hit {
                return InnerFound::Any;
            }
            if visitor.is_unsure {
                return InnerFound::Open;
            }
            let Some(best) = &visitor.best else {
                return InnerFound::Nothing;
            };
            let (from, to) = object.ends.own_interval(best.from, best.to);
            if from > t_limit {
                return InnerFound::Nothing;
            }
            match inner_hit(simd, (items, path), best, &visitor.inner, outer) {
                None => InnerFound::Open,
                Some(hit) => InnerFound::First(InnerHit { from, to, hit }),
            }
        },
    )
}
