//! First hits and any hits of rays on meshes that are placed in a world, without a `dyn` call.
//!
//! A ray is mapped to the space of each mesh whose box it meets, from there on, with a bound of its error
//! (`placed_mesh.rs`), and traverses the tree by the kernel of plain rays, which is certain of nearly all
//! hits. `t`, `u` and `v` are the same in both spaces: the order of hits on different meshes is that of
//! their intervals, and the numbers of the one that remains are rounded in the mesh's space. A ray
//! of which anything is not certain gets no answer here, and is traced by the walk of `mapped/`.

mod placed_mesh;
mod placed_walk;
mod world_ray;

pub use placed_mesh::InverseMap;
pub(crate) use placed_mesh::{MeshItems, PlacedMesh};
pub use placed_walk::FirstPlaced;
pub(crate) use placed_walk::{any, closest};
