//! Questions about a region, each a type of its own.

use super::item_question::item_question;
use crate::engine::RegionEngine;
use crate::exact::region::Region;
use crate::query::{RegionQuery, RowQuestion, ValueQuestion};
use crate::shapes::{PrimId, QueryItem};
use alloc::vec::Vec;

/// The question for the triangles that have a point in a region, by id; see
/// [`RegionQuery::overlaps`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overlaps;

/// The question whether any triangle has a point in a region; see [`RegionQuery::any_overlap`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AnyOverlap;

/// Any type of region is asked about through a reference.
impl QueryItem for &dyn Region {
    /// One without points is asked about, too, and overlaps nothing.
    fn is_defined(&self) -> bool {
        true
    }
}

item_question! { ['r, E: RegionEngine] &'r dyn Region, Overlaps => Vec<PrimId>:
    |_question, engine, region| engine.overlaps(*region);
}

item_question! { ['r, E: RegionEngine] &'r dyn Region, AnyOverlap => bool:
    |_question, engine, region| engine.any_overlap(*region);
}

impl<E: RegionEngine + ?Sized> RowQuestion<E, &dyn Region> for Overlaps {
    type Value = PrimId;
}

impl<E: RegionEngine + ?Sized> ValueQuestion<E, &dyn Region> for AnyOverlap {}
