//! Trees of objects that are placed in a world: what `estoc-scene` is made of.
//!
//! A scene has a [`BoxTree`] over the boxes of its placements. Where a ray meets the box of one, the
//! caller maps the ray to the object's space, with bounds of its errors ([`MappedRay`]), and continues in
//! the object's own tree: another `BoxTree`, or a mesh ([`Bvh::visit_mapped`](crate::Bvh::visit_mapped)).
//! No tree loses what the exact ray meets. Candidates go to a sink of the caller, who decides about them
//! exactly and returns how far the traversal has to go on; hits that only have to be counted may be certain
//! before. A ray whose numbers are unfit for `f32` gets
//! `None`, and is traversed by a test of boxes that the caller has
//! ([`Bvh::visit_boxes`](crate::Bvh::visit_boxes)).
//!
//! Of meshes, and of such worlds again, [`PlacedItems`] has what kernels need, and a [`PlacedWorld`] answers
//! for most rays that meet nothing else without a sink: for one, for up to [`LANES`] that share a traversal
//! ([`PlacedBundles`]), which [`RayWindow`] takes from a queue, and for tiles of them. The boxes of meshes are
//! those around their images ([`Bvh::image_bounds`](crate::Bvh::image_bounds)).
//!
//! There are the same traversals for points ([`MappedPoint`]).
//!
//! ```
//! use estoc_bvh::object_space::{BoxTree, ItemSink, MappedRay};
//!
//! /// Takes the items whose boxes the ray may meet.
//! struct Met(Vec<u32>);
//!
//! impl ItemSink for Met {
//!     fn enter(&mut self, item: u32, _entry: f64) -> Option<f64> {
//!         self.0.push(item);
//!         Some(f64::INFINITY) // nothing is pruned
//!     }
//! }
//!
//! let boxes = (0..3).map(|i| (i, [[3.0 * f64::from(i), 0.0, 0.0], [3.0 * f64::from(i) + 1.0, 1.0, 1.0]]));
//! let tree = BoxTree::build(boxes.collect()).expect("there is enough memory");
//! let ray = MappedRay {
//!     origin: [3.5, 0.5, -5.0],
//!     dir: [0.0, 0.0, 1.0],
//!     origin_error: 0.0,
//!     dir_error: 0.0,
//!     start: 0.0,
//!     t_min: 0.0,
//! };
//! let mut met = Met(Vec::new());
//! assert!(tree.visit(&ray, None, f64::INFINITY, &mut met).is_some());
//! assert_eq!(met.0, [1]);
//! ```

pub use crate::traverse::bundle::LANES;
pub use crate::traverse::bundle::ray_window::Window as RayWindow;
pub use crate::traverse::mapped::{
    ItemSink, MappedRay, PlacedReach, TriangleSink, Visited, WideBox, WideBoxTest,
};
pub use crate::traverse::near::{MappedPoint, NearItemSink, NearSink};
pub use crate::traverse::placed::{
    FirstPlaced, InverseMap, Matrices, PlacedBundles, PlacedSkip, TraceOthers,
};
pub use crate::traverse::prefetch;
pub use crate::tree::{BoxTree, PlacedItem, PlacedItems, PlacedObject, PlacedWorld};
pub use crate::wide::WideBounds;
