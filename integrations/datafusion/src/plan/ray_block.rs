//! Rays of a record batch, and their answers as columns.

use super::Raycast;
use crate::hit_column::ListedHit;
use crate::mesh_cache::{LoadedMesh, LoadedTree};
use crate::ray_arguments::MASK_PLACE;
use crate::{MeshNumbers, RaycastError};
use datafusion::arrow::array::{Array, ArrayRef, RecordBatch};
use datafusion::arrow::buffer::NullBuffer;
use datafusion::arrow::datatypes::{
    ArrowPrimitiveType, Float32Type, Float64Type, Int64Type, SchemaRef,
};
use datafusion::common::Result;
use datafusion::common::cast::as_primitive_array;
use datafusion::physical_expr::PhysicalExpr;
use estoc::batch::{IntoItems, ItemsError, Rays, RaysSoA};
use estoc::engine::HitOf;
use estoc::query::{Closest, Masks};
use estoc::scene::Ray64;
use estoc::{Batch, BatchError, Bvh, CancelToken, Hit, QueryOptions};
use estoc_batch::BatchEngine;
use estoc_core::{RayEngine, RayKind};
use std::borrow::Cow;
use std::sync::Arc;

/// Returns the bytes that a ray and its answer take at most, beside the columns of the input.
pub(super) fn bytes_per_ray(numbers: MeshNumbers) -> usize {
    match numbers {
        MeshNumbers::F32 => 8 * 4 + size_of::<Option<Hit>>() + 4 * 4 + 4,
        MeshNumbers::F64 => {
            8 * 8 + size_of::<Ray64>() + size_of::<Option<Hit<f64>>>() + 3 * 8 + 4 + 4
        }
    }
}

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
        let mut columns = batch.columns().to_vec();
        match &self.mesh.tree {
            LoadedTree::F32(bvh) => self.add(&self.narrow_hits(bvh, &numbers)?, &mut columns)?,
            LoadedTree::F64(bvh) => self.add(&self.wide_hits(bvh, &numbers)?, &mut columns)?,
        }
        Ok(RecordBatch::try_new(Arc::clone(&self.schema), columns)?)
    }

    /// Adds the columns of hits.
    fn add<H: ListedHit>(&self, hits: &[Option<H>], columns: &mut Vec<ArrayRef>) -> Result<()> {
        let nulls = NullBuffer::from_iter(hits.iter().map(Option::is_some));
        let nulls = (nulls.null_count() > 0).then_some(nulls);
        for answer in &self.raycast.answers {
            columns.push(answer.column.array(hits, nulls.clone())?);
        }
        Ok(())
    }

    fn narrow_hits(&self, bvh: &Bvh, numbers: &[ArrayRef]) -> Result<Vec<Option<Hit>>> {
        let reals = reals::<Float32Type>(numbers, f32::NAN, f32::INFINITY)?;
        let number = |place: usize| reals.get(place).map(|reals| &**reals);
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
        self.closest_hits(bvh, numbers, rays)
    }

    fn wide_hits(&self, bvh: &Bvh<f64>, numbers: &[ArrayRef]) -> Result<Vec<Option<Hit<f64>>>> {
        let reals = reals::<Float64Type>(numbers, f64::NAN, f64::INFINITY)?;
        let rows = numbers.first().map_or(0, |numbers| numbers.len());
        let ray = |row: usize| {
            let number = |place: usize| reals.get(place).map(|reals| reals[row]);
            let [ox, oy, oz, dx, dy, dz] =
                [0, 1, 2, 3, 4, 5].map(|place| number(place).unwrap_or(f64::NAN));
            Ray64::new([ox, oy, oz], [dx, dy, dz])
                .with_interval(number(6).unwrap_or(0.0), number(7).unwrap_or(f64::INFINITY))
        };
        let rays: Vec<Ray64> = (0..rows).map(ray).collect();
        self.closest_hits(bvh, numbers, &rays)
    }

    fn closest_hits<'r, L: IntoItems<'r>, E>(
        &self,
        engine: &E,
        numbers: &[ArrayRef],
        rays: L,
    ) -> Result<Vec<Option<HitOf<E>>>>
    where
        L::Item: RayKind,
        E: RayEngine<L::Item> + BatchEngine,
    {
        let options = match numbers.get(MASK_PLACE) {
            Some(masks) => masked(masks)?,
            None => Vec::new(),
        };
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
        let hits = batch.ask(engine, Closest, rays);
        Ok(hits.map_err(|error: BatchError| RaycastError::Batch(error))?)
    }
}

/// Returns the numbers of rays without the mask, and without null: its place is taken by 0 for the start of an interval,
/// infinity for the end, and NaN else, which makes the ray undefined: it hits nothing.
fn reals<T: ArrowPrimitiveType>(
    numbers: &[ArrayRef],
    nan: T::Native,
    infinity: T::Native,
) -> Result<Vec<Cow<'_, [T::Native]>>> {
    let reals = numbers.iter().take(MASK_PLACE).enumerate();
    let reals = reals.map(|(place, numbers)| {
        let default = match place {
            6 => T::Native::default(),
            7 => infinity,
            _ => nan,
        };
        without_nulls::<T>(numbers, default)
    });
    reals.collect()
}

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
fn without_nulls<T: ArrowPrimitiveType>(
    array: &ArrayRef,
    default: T::Native,
) -> Result<Cow<'_, [T::Native]>> {
    let numbers = as_primitive_array::<T>(array)?;
    if numbers.null_count() == 0 {
        return Ok(Cow::Borrowed(numbers.values()));
    }
    Ok(numbers
        .iter()
        .map(|number| number.unwrap_or(default))
        .collect())
}
