//! The calls for points, one and packets.

use estoc_embree_common::abi::{PointQuery, PointQueryContext, PointQueryFunction};
use estoc_embree_common::exports;
use estoc_embree_common::handle::Handle;
use estoc_embree_common::point_query::{packet, point_query};
use estoc_embree_common::scene::Scene;
use std::ffi::{c_int, c_void};

macro_rules! calls {
    ($($one:ident)*; $($many:ident: $n:literal;)*) => {exports! {
        $(fn $one(
            scene: Handle<Scene>, query: Option<&mut PointQuery<1>>, context: Option<&mut PointQueryContext>,
            function: Option<PointQueryFunction>, user: *mut c_void,
        ) -> bool {
            point_query(scene, query, context, (function, user))
        })*

        $(fn $many(
            valid: Option<&[c_int; $n]>, scene: Handle<Scene>, queries: Option<&mut PointQuery<$n>>,
            context: Option<&mut PointQueryContext>, function: Option<PointQueryFunction>, users: *const *mut c_void,
        ) -> bool {
            packet(valid, scene, queries, context, (function, users))
        })*
    }};
}

calls! {
    rtcPointQuery rtcTraversablePointQuery;
    rtcPointQuery4: 4;
    rtcPointQuery8: 8;
    rtcPointQuery16: 16;
    rtcTraversablePointQuery4: 4;
    rtcTraversablePointQuery8: 8;
    rtcTraversablePointQuery16: 16;
}
