//! The other calls that Embree 4 does not have, or has otherwise.

use crate::context::IntersectContext;
use estoc_embree_common::abi::{Callback, FilterArguments, RayHits, Rays, UserArguments};
use estoc_embree_common::calls::device::new_device;
use estoc_embree_common::device::{Device, Version};
use estoc_embree_common::exports;
use estoc_embree_common::handle::Handle;
use estoc_embree_common::host_pointer::read;
use estoc_embree_common::scene::geometry::Callbacks;
use estoc_embree_common::scene::user_shape::invoke;
use std::ffi::c_char;

/// What of Embree's version this library stands for.
static EMBREE_3: Version = Version {
    number: [3, 13, 5],
    mask: u32::MAX,
    has_streams: true,
};

/// Calls the filter of the geometry whose callback calls this, then that of the context.
fn filter<T>(
    of_geometry: fn(Callbacks) -> Option<Callback<FilterArguments>>,
    of_callback: Option<&UserArguments<T>>,
    arguments: Option<&FilterArguments>,
) {
    let (Some(of_callback), Some(arguments)) = (of_callback, arguments) else {
        return;
    };
    invoke(of_geometry, arguments);
    let context = of_callback.context.cast_const().cast::<IntersectContext>();
    if read(arguments.valid.cast_const()) != Some(0) {
        invoke(|_| read(context)?.filter, arguments);
    }
}

exports! {
    fn rtcNewDevice(config: *const c_char) -> Handle<Device> { new_device(config, &EMBREE_3) }

    fn rtcFilterIntersection(
        of_callback: Option<&UserArguments<RayHits<1>>>, arguments: Option<&FilterArguments>,
    ) {
        filter(|callbacks| callbacks.intersect_filter, of_callback, arguments)
    }

    fn rtcFilterOcclusion(of_callback: Option<&UserArguments<Rays<1>>>, arguments: Option<&FilterArguments>) {
        filter(|callbacks| callbacks.occluded_filter, of_callback, arguments)
    }
}
