//! The nodes of the tree of a mesh.

use crate::call::call;
use crate::hits::ESTOC_NONE;
use crate::regions::{Tree, tree_of};
use crate::status::{estoc_status, null};
use crate::world::estoc_world;
use estoc_bvh::ChildView;
use estoc_core::glam::DVec3;
use std::ffi::c_void;

/// A child of a node.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct estoc_child {
    /// The lowest corner of a box that contains all triangles below the child.
    pub min: [f64; 3],
    /// Its highest corner.
    pub max: [f64; 3],
    /// The number of the node that the child is; `ESTOC_NONE` for a leaf, which has triangles.
    pub node: u32,
    /// The number of triangles, at most 8; 0 for a node.
    pub count: u32,
    /// The numbers of the triangles.
    pub prims: [u32; 8],
}

/// Called with the children of a node, at most 8, which end with the call; returns 1 for the next node, and 0 for no more.
/// Called in the thread of the caller. It must not throw or jump out.
pub type estoc_visit_node = Option<
    unsafe extern "C" fn(user: *mut c_void, children: *const estoc_child, count: u32) -> i32,
>;

/// Visits the nodes of a tree, to traverse it in other ways or to draw it: by number from 0, the root, each before those
/// below it. There are none if there are no triangles. How a tree is split may change with any version of the library.
///
/// Fails with `ESTOC_UNSUPPORTED` for a scene and for a mesh in a local frame. Threads: any, at the same time.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_nodes(
    world: *const estoc_world,
    visit: estoc_visit_node,
    user: *mut c_void,
) -> estoc_status {
    call(|call| {
        let visit = visit.ok_or_else(|| null("visit"))?;
        // SAFETY: the host passed the function with this argument for it.
        let goes_on = |children: &[estoc_child]| unsafe {
            let (start, count) = (children.as_ptr(), children.len() as u32);
            call.back(|| visit(user, start, count)) != 0
        };
        let mut children = Vec::with_capacity(8);
        macro_rules! each_node {
            ($tree:expr, $corners:expr) => {
                for node in $tree.nodes() {
                    children.clear();
                    children.extend(
                        node.children()
                            .map(|(b, child)| child_of($corners(b), child)),
                    );
                    if !goes_on(&children) {
                        break;
                    }
                }
            };
        }
        match tree_of(call, world)? {
            Tree::F32(tree) => {
                each_node!(tree, |bounds: estoc_core::Aabb| {
                    [bounds.min().as_dvec3(), bounds.max().as_dvec3()]
                });
            }
            Tree::F64(tree) => each_node!(tree, |corners: [DVec3; 2]| corners),
        }
        Ok(())
    })
}

fn child_of(corners: [DVec3; 2], child: ChildView<'_>) -> estoc_child {
    let [min, max] = corners.map(|corner| corner.to_array());
    let mut found = estoc_child {
        min,
        max,
        node: ESTOC_NONE,
        count: 0,
        prims: [ESTOC_NONE; 8],
    };
    match child {
        ChildView::Node(place) => found.node = place as u32,
        ChildView::Leaf(prims) => {
            found.count = prims.len() as u32;
            for (to, prim) in found.prims.iter_mut().zip(prims) {
                *to = prim.get();
            }
        }
    }
    found
}
