//! The context of Embree 3's queries.

use estoc_embree_common::abi::{Callback, FilterArguments, INVALID, InstanceIds};
use estoc_embree_common::host_pointer::read;
use estoc_embree_common::query::Arguments;
use estoc_embree_common::scene::user_shape::{Asked, Context, Goal};
use std::mem::offset_of;

/// `RTCIntersectContext`.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct IntersectContext {
    pub(crate) flags: u32,
    pub(crate) filter: Option<Callback<FilterArguments>>,
    pub(crate) instance: u32,
}

// As in Embree's headers, on systems with pointers of 8 bytes.
const _: () = {
    if size_of::<usize>() == 8 {
        assert!(offset_of!(IntersectContext, instance) == 16);
        assert!(size_of::<IntersectContext>() == 24);
    }
};

impl IntersectContext {
    pub(crate) const NONE: Self = IntersectContext {
        flags: 0,
        filter: None,
        instance: INVALID,
    };
}

/// The context that the host passes; null stands for `IntersectContext::NONE`.
#[derive(Clone, Copy)]
pub(crate) struct Given(pub(crate) *mut IntersectContext);

impl<A> Arguments<A> for Given {
    #[inline(always)]
    fn ids(self) -> Option<InstanceIds> {
        let given = read(self.0.cast_const()).unwrap_or(IntersectContext::NONE);
        let ids = InstanceIds::of([given.instance, INVALID]);
        given.filter.is_none().then_some(ids)
    }

    /// A filter is for all geometries.
    fn run(self, goal: fn(Option<Callback<A>>) -> Goal, work: impl FnOnce(Asked)) {
        let mut own = IntersectContext::NONE;
        let context = match self.0.is_null() {
            true => &raw mut own,
            false => self.0,
        };
        let filter = read(context.cast_const()).and_then(|given| given.filter);
        work(Asked {
            context: Context::new(context, offset_of!(IntersectContext, instance), false),
            filter: filter.map(|filter| (filter, true)),
            goal: goal(None),
        });
    }
}
