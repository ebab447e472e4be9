//! Rays as arrays.

use crate::ask::Source;
use crate::rows::Rows;
use estoc::Ray;
use estoc::scene::Ray64;
use numpy::PyUntypedArray;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::ops::Range;

/// Rays in one array of rows of 6 or 8 numbers, or in two of rows of 3.
pub(crate) struct RayInput {
    layout: Layout,
    t_min: f64,
    t_max: f64,
}

enum Layout {
    Six(Rows),
    Eight(Rows),
    Apart(Rows, Rows),
}

impl RayInput {
    /// Takes `rays`, or the origins in `rays` and `dirs`.
    pub(crate) fn of(
        rays: &Bound<'_, PyUntypedArray>,
        dirs: Option<&Bound<'_, PyUntypedArray>>,
        t_min: f64,
        t_max: f64,
    ) -> PyResult<Self> {
        let rays = Rows::of(rays)?;
        let dirs = dirs.map(Rows::of).transpose()?;
        let are_integers = rays.are_integers() || dirs.as_ref().is_some_and(Rows::are_integers);
        let layout = match (rays.width(), dirs) {
            _ if are_integers => None,
            (6, None) => Some(Layout::Six(rays)),
            (8, None) => Some(Layout::Eight(rays)),
            (3, Some(dirs)) if dirs.width() == 3 && dirs.len() == rays.len() => {
                Some(Layout::Apart(rays, dirs))
            }
            _ => None,
        };
        let layout =
            layout.ok_or_else(|| PyTypeError::new_err("rays of another layout were passed"))?;
        Ok(RayInput {
            layout,
            t_min,
            t_max,
        })
    }

    /// Returns the number of rays.
    pub(crate) fn len(&self) -> usize {
        Source::<Ray>::count(self)
    }

    /// Returns whether a number may be none of `f32`.
    pub(crate) fn is_f64(&self) -> bool {
        let is_wide = |t: f64| f64::from(t as f32) != t && !t.is_nan();
        is_wide(self.t_min)
            || is_wide(self.t_max)
            || match &self.layout {
                Layout::Six(rows) | Layout::Eight(rows) => rows.is_f64(),
                Layout::Apart(origins, dirs) => origins.is_f64() || dirs.is_f64(),
            }
    }

    /// Returns the interval of a ray that has one of its own: the later start and the earlier end. A NaN of
    /// either stays, as `max` and `min` would pass over it, and with it the ray misses.
    fn interval(&self, from: f64, to: f64) -> (f64, f64) {
        let (t_min, t_max) = (self.t_min, self.t_max);
        let from = if t_min.is_nan() || t_min > from {
            t_min
        } else {
            from
        };
        let to = if t_max.is_nan() || t_max < to {
            t_max
        } else {
            to
        };
        (from, to)
    }
}

/// Implements reading for rays of a type of numbers.
macro_rules! sources {
    ($($ray:ident: $number:ty, $each:ident;)*) => {$(
        impl Source<$ray> for RayInput {
            fn count(&self) -> usize {
                match &self.layout {
                    Layout::Six(rows) | Layout::Eight(rows) | Layout::Apart(rows, _) => rows.len(),
                }
            }

            fn none(&self) -> $ray {
                $ray::new([0.0; 3], [0.0; 3])
            }

            fn read_into(&self, range: Range<usize>, rays: &mut [$ray]) {
                let (t_min, t_max) = (self.t_min as $number, self.t_max as $number);
                let mut places = rays.iter_mut();
                let mut put = |ray| {
                    if let Some(place) = places.next() {
                        *place = ray;
                    }
                };
                match &self.layout {
                    Layout::Six(rows) => rows.$each(range, |row: [$number; 6]| {
                        let [a, b, c, d, e, f] = row;
                        put($ray::new([a, b, c], [d, e, f]).with_interval(t_min, t_max));
                    }),
                    Layout::Eight(rows) => rows.$each(range, |row: [$number; 8]| {
                        let [a, b, c, d, e, f, from, to] = row;
                        let (from, to) = self.interval(from.into(), to.into());
                        let ray = $ray::new([a, b, c], [d, e, f]);
                        put(ray.with_interval(from as $number, to as $number));
                    }),
                    Layout::Apart(origins, dirs) => {
                        origins.$each(range.clone(), |origin: [$number; 3]| {
                            put($ray::new(origin, [0.0; 3]).with_interval(t_min, t_max));
                        });
                        let mut rays = rays.iter_mut();
                        dirs.$each(range, |dir: [$number; 3]| {
                            if let Some(ray) = rays.next() {
                                ray.dir = dir.into();
                            }
                        });
                    }
                }
            }
        }
    )*};
}

sources! {
    Ray: f32, each;
    Ray64: f64, each_f64;
}
