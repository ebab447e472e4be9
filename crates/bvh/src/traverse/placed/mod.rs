//! First hits and any hits of rays on meshes that are placed in a world, without a `dyn` call.
//!
//! A ray is mapped to the space of each mesh whose box it meets, from there on, with a bound of its error
//! (`inverse_map.rs`), and traverses the tree by the kernel of plain rays, which is certain of nearly all
//! hits. `t`, `u` and `v` are the same in both spaces: the order of hits on different meshes is that of
//! their intervals, and the numbers of the one that remains are rounded in the mesh's space. A world that is
//! placed in the world is traversed in the same way. A ray of which anything is not certain gets no answer here,
//! and is traced by the walk of `mapped/`.

mod found_lanes;
mod inverse_map;
mod object_lanes;
mod placed_bundle;
mod placed_bundles;
mod placed_hit;
mod placed_object;
mod placed_tiles;
mod placed_walk;
mod ray64_walk;
mod world_lanes;
mod world_ray;

pub use inverse_map::InverseMap;
pub use placed_bundles::PlacedBundles;
pub(crate) use placed_bundles::{any_bundle, closest_bundle};
pub use placed_hit::FirstPlaced;
pub(crate) use placed_object::{Placed, PlacedObjects, PlacedTree};
pub(crate) use placed_tiles::placed_tiles;
pub use placed_tiles::{Matrices, TraceOthers};
pub use placed_walk::PlacedSkip;
pub(crate) use placed_walk::{any, closest};
pub(crate) use ray64_walk::{any_64, closest_64};
