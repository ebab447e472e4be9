//! The calls for points, one and packets.

use estoc_embree_common::abi::{PointQuery, PointQueryContext, PointQueryFunction};
use estoc_embree_common::exports;
use estoc_embree_common::handle::Handle;
use estoc_embree_common::point_query::{packet, point_query};
use estoc_embree_common::scene::Scene;
use std::ffi::{c_int, c_void};

macro_rules! packets {
    ($($name:ident: $n:literal;)*) => {exports! {$(
        fn $name(
            valid: Option<&[c_int; $n]>, scene: Handle<Scene>, queries: Option<&mut PointQuery<$n>>,
            context: Option<&mut PointQueryContext<0>>, function: Option<PointQueryFunction>, users: *const *mut c_void,
        ) -> bool {
            packet(valid, scene, queries, context, (function, users))
        }
    )*}};
}

exports! {
    fn rtcPointQuery(
        scene: Handle<Scene>, query: Option<&mut PointQuery<1>>, context: Option<&mut PointQueryContext<0>>,
        function: Option<PointQueryFunction>, user: *mut c_void,
    ) -> bool {
        point_query(scene, query, context, (function, user))
    }
}

packets! {
    rtcPointQuery4: 4;
    rtcPointQuery8: 8;
    rtcPointQuery16: 16;
}
