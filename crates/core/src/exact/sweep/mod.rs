//! The first contact of a moving sphere with a triangle, decided exactly.
//!
//! The distance of the moving centre `c + t v` from a triangle is a convex function of t, so the
//! sphere touches the triangle during one interval of time. It begins at 0 where the sphere touches
//! at the start, or else when the sphere first touches a vertex, the inside of an edge or the inside
//! of the face. There, t is the lesser root of a quadratic, `t = (p - sqrt(D)) / a`. With the centre
//! u relative to the feature's first vertex, the edge e, `n = e_0 x e_1`, `A = v x e` and
//! `B = u x e`:
//!
//! | feature | p | D | a | the root is positive when |
//! |---|---|---|---|---|
//! | vertex | `-u . v` | `v^2 r^2 - (u x v)^2` | `v^2` | `p > 0`, `u^2 > r^2` |
//! | edge | `-A . B` | `e^2 (A^2 r^2 - (e . (u x v))^2)` | `A^2` | `p > 0`, `B^2 > r^2 e^2` |
//! | face | `\|n . u\|` | `r^2 n^2` | `\|n . v\|` | `(n . u)(n . v) < 0`, `(n . u)^2 > r^2 n^2` |
//!
//! A root counts if D is not negative and the foot of the centre at that time lies inside the edge
//! or the face, which is a matter of signs of linear functions of t. The plane is met no later than
//! the triangle, so a face that counts is the contact; else it is the least root that counts of
//! vertices and edges.
//!
//! All of this is written once (`entry.rs`) and evaluated in `f64` with running bounds, and where
//! that leaves something open, exactly (`number.rs`). The sign of `l + m t` at a root, the order of
//! a root and a number, and the order of two roots follow from signs by squaring, once or twice
//! (`arithmetic/surd.rs`).

mod certified_contact;
mod contact_point;
mod entry;
mod moving_sphere;
mod moving_sphere64;
mod number;
mod prepared_sphere;
mod sphere_contact;

pub(crate) use certified_contact::CertifiedContact;
pub use moving_sphere::MovingSphere;
pub use moving_sphere64::MovingSphere64;
pub(crate) use prepared_sphere::PreparedSphere;
pub use sphere_contact::SphereContact;
