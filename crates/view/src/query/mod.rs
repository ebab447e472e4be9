//! Questions about what is seen: under a pixel, in a rectangle, and on a plane.

mod outline;
mod pick;
mod section;
mod select;

pub(crate) use outline::outline;
pub(crate) use pick::pick;
pub(crate) use section::section;
pub(crate) use select::{bytes_to_select, select};
