//! Options of each ray as arrays.

use crate::failure::Failure;
use crate::rows::Rows;
use estoc::scene::{ScenePath, ScenePrim};
use estoc::{PrimId, QueryOptions};
use numpy::PyUntypedArray;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::ops::Range;

/// The triangle that each ray skips, the one that it continues after, and its mask, where rays have such. A
/// triangle is its number, -1 for none, and in scenes all numbers of its path, followed by -1.
#[derive(FromPyObject)]
pub(crate) struct OptionArrays<'py>(
    Option<Bound<'py, PyUntypedArray>>,
    Option<Bound<'py, PyUntypedArray>>,
    Option<Bound<'py, PyUntypedArray>>,
);

/// The options of each ray.
pub(crate) struct RayOptions {
    skip: Option<Rows>,
    after: Option<Rows>,
    mask: Option<Rows>,
}

/// The numbers of a triangle in a scene.
const IN_SCENE: usize = 1 + ScenePath::MAX_DEPTH;

impl RayOptions {
    /// Takes the options of a number of rays; `None` if they have none of their own.
    pub(crate) fn of(arrays: &OptionArrays<'_>, rays: usize) -> PyResult<Option<Self>> {
        let rows = |array: &Option<Bound<'_, PyUntypedArray>>, widths: &[usize]| {
            let rows = array.as_ref().map(Rows::of).transpose()?;
            let fit = |rows: &Rows| {
                rows.are_integers() && rows.len() == rays && widths.contains(&rows.width())
            };
            match rows.as_ref().is_none_or(fit) {
                true => Ok(rows),
                false => Err(PyTypeError::new_err(
                    "options of another layout were passed",
                )),
            }
        };
        let OptionArrays(skip, after, mask) = arrays;
        let options = RayOptions {
            skip: rows(skip, &[1, IN_SCENE])?,
            after: rows(after, &[1, IN_SCENE])?,
            mask: rows(mask, &[1])?,
        };
        let is_any = [&options.skip, &options.after, &options.mask]
            .into_iter()
            .any(Option::is_some);
        Ok(is_any.then_some(options))
    }

    /// Reads the options of the rays of a range into an empty list with room for them. What they do not have is as
    /// in `all`. Fails for numbers of triangles from `triangles` on, and below -1.
    pub(crate) fn read<I: TriangleId>(
        &self,
        range: Range<usize>,
        (all, triangles): (QueryOptions<I>, usize),
        to: &mut Vec<QueryOptions<I>>,
    ) -> Result<(), Failure> {
        to.resize(range.len(), all);
        let set = |name: &str,
                   rows: &Option<Rows>,
                   to: &mut [QueryOptions<I>],
                   with: fn(QueryOptions<I>, Option<I>) -> QueryOptions<I>| {
            let (mut places, mut wrong) = (to.iter_mut().zip(range.clone()), None);
            let take = |numbers: &[i128]| {
                let (Some((options, ray)), &[prim, ref path @ ..]) = (places.next(), numbers)
                else {
                    return;
                };
                match usize::try_from(prim) {
                    Ok(prim) if prim < triangles => {
                        let prim = PrimId::from_index(prim);
                        *options = with(*options, prim.and_then(|prim| I::of(prim, path)));
                    }
                    _ if prim == -1 => {}
                    _ => wrong = wrong.or(Some((ray, prim))),
                }
            };
            each_id(rows, range.clone(), take);
            match wrong {
                None => Ok(()),
                Some((ray, prim)) => Err(Failure::Index(format!(
                    "{name} has the number {prim} for ray {ray}; wanted are numbers of triangles, \
                     below {triangles}, and -1 for none"
                ))),
            }
        };
        set("skip", &self.skip, to, QueryOptions::skip)?;
        set("after", &self.after, to, QueryOptions::after)?;
        let mut places = to.iter_mut();
        each_id(&self.mask, range, |mask| {
            if let (Some(options), [mask, ..]) = (places.next(), mask) {
                *options = options.mask(*mask as u32);
            }
        });
        Ok(())
    }
}

/// Calls a function with each row of a range, if there are rows.
fn each_id(rows: &Option<Rows>, range: Range<usize>, mut take: impl FnMut(&[i128])) {
    match rows {
        None => {}
        Some(rows) if rows.width() == 1 => rows.each_integer(range, |row: [_; 1]| take(&row)),
        Some(rows) => rows.each_integer(range, |row: [_; IN_SCENE]| take(&row)),
    }
}

/// An id of a triangle that arrays have.
pub(crate) trait TriangleId: Copy + Sync {
    /// Returns the id of a triangle on a path, which ends at the first number that is negative; `None` where there is
    /// no such path.
    fn of(prim: PrimId, path: &[i128]) -> Option<Self>;
}

impl TriangleId for PrimId {
    fn of(prim: PrimId, _: &[i128]) -> Option<Self> {
        Some(prim)
    }
}

impl TriangleId for ScenePrim {
    fn of(prim: PrimId, path: &[i128]) -> Option<Self> {
        // A tree that is asked as a scene is its first placement.
        let path = if path.is_empty() { &[0] } else { path };
        let mut steps = path.iter().take_while(|&&step| step >= 0);
        let path = steps.try_fold(ScenePath::ROOT, |path, &step| {
            path.then(u32::try_from(step).ok()?)
        });
        Some(ScenePrim::triangle(path?, prim))
    }
}
