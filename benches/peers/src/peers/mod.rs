//! The peers. `PEER.rs` or `PEER/mod.rs` holds everything specific to one.

mod bvh;
mod embree;
mod estoc;
#[cfg(target_arch = "x86_64")]
mod float;
mod obvhs;
mod parry;
mod shared_library;
mod tinybvh;

use crate::engine::Builder;

pub(crate) use embree::EmbreeWorlds;
pub(crate) use estoc::{EstocWorld, Exact, changing, of_sizes};
pub(crate) use tinybvh::tinybvh_worlds;

/// Returns all builders, in the order of the tables.
pub(crate) fn builders() -> Vec<Builder> {
    let mut all = estoc::builders();
    #[cfg(target_arch = "x86_64")]
    all.extend(float::builders());
    all.extend(embree::builders());
    all.extend(tinybvh::builders());
    all.extend(obvhs::builders());
    all.extend(bvh::builders());
    all.extend(parry::builders());
    all
}
