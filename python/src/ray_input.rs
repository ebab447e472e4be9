//! Rays as arrays.

use crate::rows::Rows;
use estoc::Ray;
use numpy::PyUntypedArray;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::ops::Range;

/// Rays in one array of rows of 6 or 8 numbers, or in two of rows of 3.
pub(crate) struct RayInput {
    layout: Layout,
    t_min: f32,
    t_max: f32,
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
        t_min: f32,
        t_max: f32,
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
        match &self.layout {
            Layout::Six(rows) | Layout::Eight(rows) | Layout::Apart(rows, _) => rows.len(),
        }
    }

    /// Reads the rays of a range into a list of that length.
    pub(crate) fn read(&self, range: Range<usize>, rays: &mut [Ray]) {
        let mut places = rays.iter_mut();
        let mut put = |ray: Ray| {
            if let Some(place) = places.next() {
                *place = ray;
            }
        };
        let (t_min, t_max) = (self.t_min, self.t_max);
        match &self.layout {
            Layout::Six(rows) => rows.each(range, |[a, b, c, d, e, f]: [f32; 6]| {
                put(Ray::new([a, b, c], [d, e, f]).with_interval(t_min, t_max));
            }),
            // The nearer of both ends; `max` and `min` would pass over a NaN, with which a ray misses.
            Layout::Eight(rows) => rows.each(range, |[a, b, c, d, e, f, from, to]: [f32; 8]| {
                let from = if t_min > from { t_min } else { from };
                let to = if t_max < to { t_max } else { to };
                put(Ray::new([a, b, c], [d, e, f]).with_interval(from, to));
            }),
            Layout::Apart(origins, dirs) => {
                origins.each(range.clone(), |origin: [f32; 3]| {
                    put(Ray::new(origin, [0.0; 3]).with_interval(t_min, t_max));
                });
                let mut rays = rays.iter_mut();
                dirs.each(range, |dir: [f32; 3]| {
                    if let Some(ray) = rays.next() {
                        ray.dir = dir.into();
                    }
                });
            }
        }
    }

    /// Returns the value of places for rays that are not read yet.
    pub(crate) fn none() -> Ray {
        Ray::new([0.0; 3], [0.0; 3])
    }
}
