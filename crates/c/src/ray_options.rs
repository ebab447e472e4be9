//! Options of rays: what restricts which triangles they hit.

use crate::call::Call;
use crate::hits::{Found, TriangleId, estoc_hit, estoc_triangle};
use crate::numbers::{Column, ESTOC_U32, check_extent, estoc_column};
use crate::rays::{HostRay, estoc_ray};
use crate::run::Callback;
use crate::status::{Failure, bad};
use estoc_core::{Cull, QueryOptions};
use std::ffi::c_void;
use std::ptr;

/// Which side of triangles rays do not hit: one of the constants `ESTOC_CULL_NONE` to `ESTOC_CULL_FRONT`.
pub type estoc_cull = i32;
/// Rays hit both sides.
pub const ESTOC_CULL_NONE: estoc_cull = 0;
/// Rays do not hit the side from which the corners are seen clockwise.
pub const ESTOC_CULL_BACK: estoc_cull = 1;
/// Rays do not hit the side from which the corners are seen counterclockwise.
pub const ESTOC_CULL_FRONT: estoc_cull = 2;

/// Decides whether a hit counts: 1 if it does, 0 if not. What it returns may depend only on the ray and the hit: it
/// is called in any order, for some of the hits, possibly more than once for one, and from any threads at the same
/// time. It may ask questions. It must not throw or jump out, nor change a scene. The pointers end with the call.
pub type estoc_filter = Option<
    unsafe extern "C" fn(user: *mut c_void, ray: *const estoc_ray, hit: *const estoc_hit) -> i32,
>;

/// Options of rays. All zeros, or a null pointer in its place, restrict nothing.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct estoc_ray_options {
    /// Which side of triangles is not hit.
    pub cull: estoc_cull,
    /// 1 to leave out hits exactly at `t_min` and at `t_max`, as for the line of sight between two points; else 0.
    pub open_ends: i32,
    /// The groups of triangles that rays see: those with which they share a bit; see `estoc_build`. 0 for all.
    pub mask: u32,
    /// For `ESTOC_ALL_HITS`: the most hits of each ray; 0 for all.
    pub max_hits: usize,
    /// A triangle that no ray hits, such as that which it leaves; null for none.
    pub skip: *const estoc_triangle,
    /// The triangle behind whose hit every ray continues, without that hit; null for none. A ray that does not hit it
    /// is an error (`ESTOC_BAD_QUERY`).
    pub after: *const estoc_triangle,
    /// The triangle that each ray skips, or with none `skip`: that of the first ray; null if rays have none of their
    /// own.
    pub skip_each: *const estoc_triangle,
    /// The bytes from one of them to the next.
    pub skip_stride: isize,
    /// The triangle after which each ray continues, or with none `after`: that of the first ray; null as above.
    pub after_each: *const estoc_triangle,
    /// The bytes from one of them to the next.
    pub after_stride: isize,
    /// The mask of each ray, in place of `mask`, `ESTOC_U32`; here a ray with 0 sees nothing.
    pub mask_each: estoc_column,
    /// Decides which hits count; null if all do.
    pub filter: estoc_filter,
    /// Passed to `filter`.
    pub user: *mut c_void,
}

impl estoc_ray_options {
    const NONE: Self = estoc_ray_options {
        cull: ESTOC_CULL_NONE,
        open_ends: 0,
        mask: 0,
        max_hits: 0,
        skip: ptr::null(),
        after: ptr::null(),
        skip_each: ptr::null(),
        skip_stride: 0,
        after_each: ptr::null(),
        after_stride: 0,
        mask_each: estoc_column::NONE,
        filter: None,
        user: ptr::null_mut(),
    };
}

/// A triangle for each ray.
#[derive(Clone, Copy)]
struct Triangles {
    start: *const estoc_triangle,
    stride: isize,
}

// SAFETY: the memory is only read, and not written to during the call.
unsafe impl Sync for Triangles {}

impl Triangles {
    fn of(start: *const estoc_triangle, stride: isize, count: usize) -> Result<Self, Failure> {
        let size = if start.is_null() {
            0
        } else {
            size_of::<estoc_triangle>()
        };
        let extent = (count, if size == 0 { 0 } else { stride }, size);
        check_extent(start.addr(), extent, "triangles to skip or continue after")?;
        Ok(Triangles { start, stride })
    }

    /// Returns the id of the triangle of a ray, if there are any.
    fn id<I: TriangleId>(&self, ray: usize, alone: bool) -> Result<Option<I>, Failure> {
        if self.start.is_null() {
            return Ok(None);
        }
        let at = (self.start).wrapping_byte_offset(self.stride.wrapping_mul(ray as isize));
        // SAFETY: there is a triangle for each ray, by the contract of the host.
        I::of(&unsafe { at.read_unaligned() }, alone)
    }
}

/// The options of a question.
pub(crate) struct RayOptions<'a> {
    cull: Cull,
    open_ends: bool,
    mask: u32,
    pub(crate) max_hits: usize,
    skip: Triangles,
    after: Triangles,
    /// Those of each ray.
    each: [Triangles; 2],
    masks: Option<Column>,
    filter: Option<RayFilter<'a>>,
}

/// Which hits count.
#[derive(Clone, Copy)]
pub(crate) struct RayFilter<'a> {
    callback: Callback<'a, FilterFunction>,
    /// Whether a scene stands for one mesh.
    alone: bool,
}

type FilterFunction =
    unsafe extern "C" fn(user: *mut c_void, ray: *const estoc_ray, hit: *const estoc_hit) -> i32;

impl RayFilter<'_> {
    /// Returns whether a hit counts.
    pub(crate) fn accepts<R: HostRay, H: Found>(&self, ray: &R, hit: &H) -> bool {
        let Callback {
            call,
            function,
            user,
        } = self.callback;
        let (ray, hit) = (ray.host(), hit.hit(self.alone));
        // SAFETY: the host passed the function with this argument for it, and may be called from any thread.
        call.back(|| unsafe { function(user, &ray, &hit) }) != 0
    }
}

impl<'a> RayOptions<'a> {
    /// Takes the options of a number of rays.
    pub(crate) fn of(
        options: Option<&estoc_ray_options>,
        count: usize,
        call: &'a Call,
    ) -> Result<Self, Failure> {
        let given = options.unwrap_or(&estoc_ray_options::NONE);
        if !given.mask_each.data.is_null() && given.mask_each.r#type != ESTOC_U32 {
            return Err(bad("mask_each is of another type than ESTOC_U32".to_owned()));
        }
        let (skip, after) = (
            (given.skip_each, given.skip_stride),
            (given.after_each, given.after_stride),
        );
        Ok(RayOptions {
            cull: match given.cull {
                ESTOC_CULL_NONE => Cull::None,
                ESTOC_CULL_BACK => Cull::Back,
                ESTOC_CULL_FRONT => Cull::Front,
                other => {
                    return Err(bad(format!(
                        "cull is {other}, which is no ESTOC_CULL constant"
                    )));
                }
            },
            open_ends: given.open_ends != 0,
            mask: if given.mask == 0 {
                u32::MAX
            } else {
                given.mask
            },
            max_hits: given.max_hits,
            skip: Triangles::of(given.skip, 0, 1)?,
            after: Triangles::of(given.after, 0, 1)?,
            each: [
                Triangles::of(skip.0, skip.1, count)?,
                Triangles::of(after.0, after.1, count)?,
            ],
            masks: Column::of_integers(&given.mask_each, count, "mask_each")?,
            filter: given.filter.map(|function| RayFilter {
                callback: Callback {
                    call,
                    function,
                    user: given.user,
                },
                alone: false,
            }),
        })
    }

    /// Returns whether nothing is restricted.
    #[inline(always)]
    pub(crate) fn restricts_nothing(options: Option<&estoc_ray_options>) -> bool {
        options.is_none_or(|options| {
            let pointers = [
                options.skip,
                options.after,
                options.skip_each,
                options.after_each,
            ];
            options.cull == 0
                && options.open_ends == 0
                && matches!(options.mask, 0 | u32::MAX)
                && options.filter.is_none()
                && options.mask_each.data.is_null()
                && pointers.iter().all(|pointer| pointer.is_null())
        })
    }

    /// Returns the options of all rays, at a scene that stands for one mesh `alone` or at another world.
    pub(crate) fn of_all<I: TriangleId>(&self, alone: bool) -> Result<QueryOptions<I>, Failure> {
        let options = QueryOptions::default()
            .cull(self.cull)
            .open_ends(self.open_ends);
        let (skip, after) = (self.skip.id(0, alone)?, self.after.id(0, alone)?);
        Ok(options.mask(self.mask).skip(skip).after(after))
    }

    /// Returns whether rays have options of their own.
    pub(crate) fn are_each(&self) -> bool {
        self.masks.is_some() || self.each.iter().any(|each| !each.start.is_null())
    }

    /// Returns the options of a ray, of which all have these.
    pub(crate) fn of_each<I: TriangleId>(
        &self,
        ray: usize,
        all: QueryOptions<I>,
        alone: bool,
    ) -> Result<QueryOptions<I>, Failure> {
        let [skip, after] = [self.each[0].id(ray, alone)?, self.each[1].id(ray, alone)?];
        let options = all.skip(skip.or(all.skip)).after(after.or(all.after));
        Ok(match &self.masks {
            Some(masks) => options.mask(masks.integers(ray)[0] as u32),
            None => options,
        })
    }

    /// Returns which hits count.
    pub(crate) fn filter(&self, alone: bool) -> Option<RayFilter<'a>> {
        self.filter.map(|filter| RayFilter { alone, ..filter })
    }
}
