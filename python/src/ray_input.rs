//! Rays as arrays.

use crate::ask::{Source, put};
use crate::block::BLOCK;
use crate::rows::Rows;
use estoc::Ray;
use estoc::scene::Ray64;
use numpy::PyUntypedArray;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::ops::Range;

/// The arrays of rays: origins and directions in one, or the origins, then the directions; then the bounds of
/// each ray, if they have some.
#[derive(FromPyObject)]
pub(crate) struct RayArrays<'py>(
    Bound<'py, PyUntypedArray>,
    Option<Bound<'py, PyUntypedArray>>,
    Option<Bound<'py, PyUntypedArray>>,
);

/// Rays in one array of rows of 6 numbers, or in two of rows of 3, and their bounds.
pub(crate) struct RayInput {
    layout: Layout,
    bounds: Bounds,
    /// Whether origins and directions are rounded to `f32` where the rays are those of `f64`.
    pub(crate) is_rounded: bool,
    /// Whether each ray has options.
    pub(crate) has_options: bool,
}

enum Layout {
    Six(Rows),
    Apart(Rows, Rows),
}

enum Bounds {
    All(f64, f64),
    Each(Rows),
}

impl RayInput {
    /// Takes rays; the bounds are those of all, unless each has its own.
    pub(crate) fn of(arrays: &RayArrays<'_>, t_min: f64, t_max: f64) -> PyResult<Self> {
        let RayArrays(rays, dirs, bounds) = arrays;
        let rays = Rows::of(rays)?;
        let dirs = dirs.as_ref().map(Rows::of).transpose()?;
        let bounds = bounds.as_ref().map(Rows::of).transpose()?;
        let mut all = [Some(&rays), dirs.as_ref(), bounds.as_ref()]
            .into_iter()
            .flatten();
        let fit = all.all(|rows| !rows.are_integers() && rows.len() == rays.len());
        drop(all);
        let layout = match (rays.width(), dirs) {
            (6, None) => Some(Layout::Six(rays)),
            (3, Some(dirs)) if dirs.width() == 3 => Some(Layout::Apart(rays, dirs)),
            _ => None,
        };
        let bounds = match bounds {
            None => Some(Bounds::All(t_min, t_max)),
            Some(rows) if rows.width() == 2 => Some(Bounds::Each(rows)),
            Some(_) => None,
        };
        match (layout, bounds) {
            (Some(layout), Some(bounds)) if fit => Ok(RayInput {
                layout,
                bounds,
                is_rounded: false,
                has_options: false,
            }),
            _ => Err(PyTypeError::new_err("rays of another layout were passed")),
        }
    }

    /// Returns the number of rays.
    pub(crate) fn len(&self) -> usize {
        Source::<Ray>::count(self)
    }

    /// Returns whether a number of an origin or a direction is none of `f32`.
    pub(crate) fn is_f64(&self) -> bool {
        match &self.layout {
            Layout::Six(rows) => is_wide::<6>(rows),
            Layout::Apart(origins, dirs) => is_wide::<3>(origins) || is_wide::<3>(dirs),
        }
    }

    /// Returns whether a bound is none of `f32`.
    pub(crate) fn has_wide_bounds(&self) -> bool {
        match &self.bounds {
            Bounds::All(t_min, t_max) => !(is_narrow(*t_min) && is_narrow(*t_max)),
            Bounds::Each(rows) => is_wide::<2>(rows),
        }
    }
}

/// Returns whether `f32` has a number; it has a NaN.
fn is_narrow(x: f64) -> bool {
    f64::from(x as f32) == x || x.is_nan()
}

/// Returns whether a number in rows is none of `f32`.
fn is_wide<const N: usize>(rows: &Rows) -> bool {
    /// The rows after which it is looked whether there was one.
    const PIECE: usize = 1024;
    let mut found = false;
    (0..rows.len())
        .step_by(PIECE)
        .take_while(|_| rows.is_f64())
        .any(|start| {
            let piece = start..rows.len().min(start + PIECE);
            rows.each_f64(piece, |row: [f64; N]| {
                found |= !row.into_iter().all(is_narrow);
            });
            found
        })
}

/// Implements reading for rays of a type of numbers.
macro_rules! sources {
    ($($ray:ident: $number:ty, $each:ident, $rounded:expr;)*) => {$(
        impl Source<$ray> for RayInput {
            fn count(&self) -> usize {
                match &self.layout {
                    Layout::Six(rows) | Layout::Apart(rows, _) => rows.len(),
                }
            }

            fn block(&self) -> usize {
                // The options of a block are held.
                if self.has_options { BLOCK / 4 } else { BLOCK }
            }

            fn read_into(&self, range: Range<usize>, rays: &mut [$ray]) {
                let rounded = |x: $number| if self.is_rounded { $rounded(x) } else { x };
                let (t_min, t_max) = match self.bounds {
                    Bounds::All(t_min, t_max) => (t_min as $number, t_max as $number),
                    Bounds::Each(_) => (0.0, <$number>::INFINITY),
                };
                let ray = |origin: [$number; 3], dir: [$number; 3]| {
                    let ray = $ray::new(origin.map(rounded), dir.map(rounded));
                    ray.with_interval(t_min, t_max)
                };
                let mut places = rays.iter_mut();
                match &self.layout {
                    Layout::Six(rows) => rows.$each(range.clone(), |row: [$number; 6]| {
                        let [a, b, c, d, e, f] = row;
                        put(&mut places, ray([a, b, c], [d, e, f]));
                    }),
                    Layout::Apart(origins, dirs) => {
                        origins.$each(range.clone(), |origin: [$number; 3]| {
                            put(&mut places, ray(origin, [0.0; 3]));
                        });
                        let mut rays = rays.iter_mut();
                        dirs.$each(range.clone(), |dir: [$number; 3]| {
                            if let Some(ray) = rays.next() {
                                ray.dir = dir.map(rounded).into();
                            }
                        });
                    }
                }
                if let Bounds::Each(rows) = &self.bounds {
                    let mut rays = rays.iter_mut();
                    rows.$each(range, |[t_min, t_max]: [$number; 2]| {
                        if let Some(ray) = rays.next() {
                            *ray = ray.with_interval(t_min, t_max);
                        }
                    });
                }
            }
        }
    )*};
}

sources! {
    Ray: f32, each, |x| x;
    Ray64: f64, each_f64, |x| f64::from(x as f32);
}
