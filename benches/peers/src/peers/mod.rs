//! The peers. `PEER.rs` or `PEER/mod.rs` holds all that is known about one.

mod bvh;
mod embree;
mod estoc;
mod obvhs;
mod parry;

use crate::engine::Builder;

pub(crate) use estoc::Exact;

/// All builders, in the order of the tables.
///
/// A float-only kernel of our own, the measure of what exactness costs, belongs behind estoc
/// under the name `estoc-float`; the tables give it a column as soon as it has rows.
pub(crate) fn builders() -> Vec<Box<dyn Builder>> {
    let mut all = estoc::builders();
    all.extend(embree::builders());
    all.extend(obvhs::builders());
    all.extend(bvh::builders());
    all.extend(parry::builders());
    all
}
