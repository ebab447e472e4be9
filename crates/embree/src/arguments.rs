//! The arguments of Embree 4's queries.

use estoc_embree_common::abi::{
    Callback, FilterArguments, InstanceIds, RayHits, Rays, UserArguments,
};
use estoc_embree_common::host_pointer::read;
use estoc_embree_common::query::Arguments;
use estoc_embree_common::scene::user_shape::{Asked, Context, Goal};
use std::ptr::null_mut;

/// `RTCRayQueryFlags`.
pub(crate) const INVOKE_ARGUMENT_FILTER: u32 = 1 << 1;

/// `RTCIntersectArguments` and `RTCOccludedArguments`, whose last callback takes other arguments.
#[repr(C)]
pub(crate) struct QueryArguments<A> {
    pub(crate) flags: u32,
    pub(crate) feature_mask: u32,
    pub(crate) context: *mut InstanceIds,
    pub(crate) filter: Option<Callback<FilterArguments>>,
    pub(crate) user: Option<Callback<A>>,
}

/// The arguments of `rtcIntersect` and `rtcOccluded`.
pub(crate) type IntersectArguments = QueryArguments<UserArguments<RayHits<1>>>;
pub(crate) type OccludedArguments = QueryArguments<UserArguments<Rays<1>>>;

// Sizes and places as in Embree's headers, on systems with pointers of 8 bytes.
const _: () = {
    use std::mem::offset_of;
    if size_of::<usize>() == 8 {
        assert!(
            offset_of!(QueryArguments<()>, context) == 8 && size_of::<QueryArguments<()>>() == 32
        );
    }
};

/// What the host passes, if anything.
pub(crate) struct Given<'a, A>(pub(crate) Option<&'a QueryArguments<A>>);

impl<A> Clone for Given<'_, A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A> Copy for Given<'_, A> {}

impl<A> Arguments<A> for Given<'_, A> {
    #[inline(always)]
    fn ids(self) -> Option<InstanceIds> {
        let Some(given) = self.0 else {
            return Some(InstanceIds::NONE);
        };
        let ids = read(given.context.cast_const()).unwrap_or(InstanceIds::NONE);
        given.filter.is_none().then_some(ids)
    }

    fn run(self, goal: fn(Option<Callback<A>>) -> Goal, work: impl FnOnce(Asked)) {
        let mut own = InstanceIds::NONE;
        let context = self.0.map_or(null_mut(), |given| given.context);
        let context = match context.is_null() {
            true => &raw mut own,
            false => context,
        };
        let filter = self.0.and_then(|given| {
            let for_all = given.flags & INVOKE_ARGUMENT_FILTER != 0;
            Some((given.filter?, for_all))
        });
        work(Asked {
            context: Context::new(context, 0, true),
            filter,
            goal: goal(self.0.and_then(|given| given.user)),
        });
    }
}
