//! Internals of the crate for this workspace's tests and benches, without any stability promise.
//!
//! Types in here are `pub` in their private modules and reachable only through this one. Functions
//! give access to the private parts of documented types.

pub mod builder {
    pub use crate::builder::{
        Budget, BuildWatch, Unfinished, binary_tree, bounds, boxes, chances, leaf_runs, recursion,
        reference, reinsert, triangle_boxes, triangle_leaves, watch,
    };
    pub use crate::builder::{quality_settings, radix};
}

pub mod file {
    pub use crate::file::{encoded_names, progress, section_bytes, triangle_origin};
}

pub mod mask_runs {
    pub use crate::mask_runs::{of_runs, runs_of};
}

pub mod traverse {
    pub use crate::traverse::{
        bundle, child_order, interleave, kernel_ray, leaf_ray, leaf_test, level_token, near,
        nearest_certain, parallel_triangles, plain_ray, ray_group, single_walk, sweep, t_spans,
        tile, traversal_stack, wide_target,
    };
}

pub mod tree {
    pub use crate::tree::bvh_internals::BvhInternals;
    pub use crate::tree::validate::marks;
}

pub mod wide {
    pub use crate::wide::{Axis, Block, Child, Leaves, Measures, Node, ROWS, Scale, Tag, WIDTH};
    pub use crate::wide::{WideTree, WideTriangles, write_leaf};
}
