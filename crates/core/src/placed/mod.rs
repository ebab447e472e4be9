//! Triangles and shapes of objects that are placed in a world by affine matrices of `f64`s.
//!
//! A placed triangle is the triangle of the points `M v` in real arithmetic, where `v` are the
//! corners given and `M` is the matrix given. No corner is rounded: whether a ray hits, the order of
//! hits and all rounded numbers are those of that triangle.
//!
//! - `f64` decides nearly always (`placed_products.rs`): the products of the matrix are computed with
//!   bounds of their errors, and the polynomials of `exact/ray/products.rs` with theirs added;
//! - otherwise the corners are dyadic numbers (`exact/ray/exact_line.rs`).
//!
//! Spheres and boxes are placed alike (`placed_shape.rs`): what decides about them is written once and
//! evaluated in both kinds of numbers (`shape_line.rs`). A shape of the user gets the ray in the object's
//! space, each number rounded once (`object_ray.rs`), and what it reports is taken as exact
//! (`user_hit.rs`).

mod object_ray;
mod path;
mod placed_distance;
mod placed_normal;
mod placed_point;
mod placed_primitive;
mod placed_products;
mod placed_shape;
mod placed_triangle;
mod placement_matrix;
mod point64;
mod scale_rotation;
mod scene_closest_point;
mod scene_hit;
mod shape;
mod shape_line;
mod shape_surface;
#[cfg(test)]
mod shape_tests;
mod user_hit;
mod world_line;

pub use object_ray::ObjectRay;
pub use path::{PathError, ScenePath, ScenePrim, ShapeEnd};
pub use placed_primitive::PlacedPrimitive;
pub use placed_shape::PlacedShape;
pub use placed_triangle::PlacedTriangle;
pub use placement_matrix::{MatrixError, PlacementMatrix};
pub use scale_rotation::scale_rotation_translation;
pub use scene_closest_point::SceneClosestPoint;
pub use scene_hit::SceneHit;
pub use shape::Shape;
pub use shape_surface::ShapeSurface;
pub use user_hit::{PlacedUserHit, UserHit};
pub use world_line::WorldLine;
