//! The C library of estoc: exact and fast ray queries on triangle meshes. `include/estoc.h`, which is made of what is
//! here, has its documentation; `docs/c.md` is a guide.
//!
//! The functions only translate: each asks one question of the crates below, which have the answers. What surrounds
//! their work is the same for all (`call.rs`): the default floating-point mode, an end for panics, a status and a
//! sentence.
//!
//! # Unsafe code
//! It is in the modules that turn what the host passes into Rust: `handles/table.rs`, `handles/mod.rs` and `call.rs`
//! (handles), `numbers.rs`, `outputs.rs` and `text.rs` (arrays and strings), `ray_options.rs` (triangles in arrays,
//! and the filter), and `run.rs`, `regions.rs`, `nodes.rs` and `tree_files.rs` (callbacks). A pointer to one struct is an
//! `Option` of a reference, which C passes as a pointer that may be null. What these modules rely on is what `estoc.h`
//! requires of the host: that a pointer which is not null points to what its type says, that nobody writes to that
//! meanwhile, and that an object is not released while a call uses it. Other modules need the lint off for nothing but the
//! names of functions (`no_mangle`).
#![allow(non_camel_case_types, reason = "the names are those that C has")]
#![allow(unsafe_code, reason = "the border; each block has its proof")]
#![allow(unreachable_pub, reason = "what is public is what the header has")]

/// For a library in Rust that has this one's functions and adds its own, as that of JavaScript does. The header has
/// nothing of it.
#[doc(hidden)]
pub mod extension {
    pub use crate::call::{Call, call};
    pub use crate::handles::{Held, give_both};
    pub use crate::outputs::estoc_output;
    pub use crate::question::estoc_question;
    pub use crate::ray_options::estoc_ray_options;
    pub use crate::ray_questions::ask_engine;
    pub use crate::rays::estoc_rays;
    pub use crate::status::{Failure, estoc_status, room};
    pub use crate::world::{estoc_world, tree_of};
}

mod asking;
mod call;
mod closest_point;
mod handles;
mod hits;
mod last_error;
mod lists;
mod mesh;
mod nodes;
mod numbers;
mod outputs;
mod point_questions;
mod points;
mod question;
mod ray_options;
mod ray_questions;
mod rays;
mod references;
mod regions;
mod run;
mod scene;
mod spheres;
mod status;
mod surface_room;
mod text;
mod tree_files;
mod world;
