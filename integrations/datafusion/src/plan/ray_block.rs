//! Rays of a record batch, and their answers as columns.

use super::Raycast;
use crate::RaycastError;
use crate::mesh_cache::LoadedMesh;
use crate::ray_arguments::MASK_PLACE;
use datafusion::arrow::array::{Array, ArrayRef, RecordBatch};
use datafusion::arrow::buffer::NullBuffer;
use datafusion::arrow::datatypes::{Float32Type, Int64Type, SchemaRef};
use datafusion::common::Result;
use datafusion::common::cast::as_primitive_array;
use datafusion::physical_expr::PhysicalExpr;
use estoc::batch::{ItemsError, Rays, RaysSoA};
use estoc::query::Masks;
use estoc::{Batch, BatchError, CancelToken, Hit, QueryOptions};
use std::borrow::Cow;
use std::sync::Arc;

/// The bytes that a ray and its answer take at most, beside the columns of the input.
pub(super) const BYTES_PER_RAY: usize = 8 * 4 + size_of::<Option<Hit>>() + 4 * 4 + 4;

/// What all blocks of a stream share.
pub(super) struct Caster {
    pub mesh: Arc<LoadedMesh>,
    pub raycast: Raycast<Arc<dyn PhysicalExpr>>,
    pub schema: SchemaRef,
    pub cancel: CancelToken,
}

impl Caster {
    /// Returns the batch with the columns of the answers.
    pub(super) fn cast(&self, batch: &RecordBatch) -> Result<RecordBatch> {
        let rays = self.raycast.rays.iter();
        let numbers = rays.map(|number| number.evaluate(batch)?.into_array(batch.num_rows()));
        let numbers = numbers.collect::<Result<Vec<_>>>()?;
        let hits = self.closest_hits(&numbers)?;
        let mut columns = batch.columns().to_vec();
        let nulls = NullBuffer::from_iter(hits.iter().map(Option::is_some));
        let nulls = (nulls.null_count() > 0).then_some(nulls);
        for answer in &self.raycast.answers {
            columns.push(answer.column.array(&hits, nulls.clone())?);
        }
        Ok(RecordBatch::try_new(Arc::clone(&self.schema), columns)?)
    }

    fn closest_hits(&self, numbers: &[ArrayRef]) -> Result<Vec<Option<Hit>>> {
        let options = match numbers.get(MASK_PLACE) {
            Some(masks) => masked(masks)?,
            None => Vec::new(),
        };
        let reals = numbers.iter().take(MASK_PLACE).enumerate();
        let numbers = reals
            .map(|(place, numbers)| without_nulls(numbers, DEFAULTS[place]))
            .collect::<Result<Vec<_>>>()?;
        let number = |place: usize| numbers.get(place).map(|numbers| &**numbers);
        let soa = RaysSoA {
            ox: number(0).unwrap_or_default(),
            oy: number(1).unwrap_or_default(),
            oz: number(2).unwrap_or_default(),
            dx: number(3).unwrap_or_default(),
            dy: number(4).unwrap_or_default(),
            dz: number(5).unwrap_or_default(),
            t_min: number(6),
            t_max: number(7),
        };
        let rays = Rays::try_from(soa).map_err(|error: ItemsError| RaycastError::Plan {
            problem: error.to_string(),
        })?;
        // Partitions are cast in parallel, so that each takes one thread.
        let mut batch = Batch::new().threads(1).cancel(&self.cancel);
        batch = match options.split_first() {
            // As fast as without masks.
            Some((first, others)) if others.iter().all(|other| other == first) => {
                batch.options(*first)
            }
            Some(_) => batch.options_each(&options),
            None => batch,
        };
        let hits = batch.closest_hits(&self.mesh.bvh, rays);
        Ok(hits.map_err(|error: BatchError| RaycastError::Batch(error))?)
    }
}

/// What stands for null in each number of a ray. NaN makes the ray undefined: it hits nothing.
const DEFAULTS: [f32; MASK_PLACE] = {
    const NAN: f32 = f32::NAN;
    [NAN, NAN, NAN, NAN, NAN, NAN, 0.0, f32::INFINITY]
};

/// Returns options with the masks of an array; those that are null are all bits.
fn masked(array: &ArrayRef) -> Result<Vec<QueryOptions>> {
    let masks = as_primitive_array::<Int64Type>(array)?;
    let of = |mask: Option<i64>| {
        let mask = mask.unwrap_or(-1);
        let bits = Masks::bits_of(mask).ok_or(RaycastError::LargeMask { mask })?;
        Ok(QueryOptions::new().mask(bits))
    };
    masks.iter().map(of).collect()
}

/// Returns the numbers of an array, with `default` for those that are null.
fn without_nulls(array: &ArrayRef, default: f32) -> Result<Cow<'_, [f32]>> {
    let numbers = as_primitive_array::<Float32Type>(array)?;
    if numbers.null_count() == 0 {
        return Ok(Cow::Borrowed(numbers.values()));
    }
    Ok(numbers
        .iter()
        .map(|number| number.unwrap_or(default))
        .collect())
}
