//! All examples as one program for the tests: the environment variable `EXAMPLE` selects the one to
//! run. Separate programs would each compile the kernels again.

#[path = "../../examples/ao_bake.rs"]
mod ao_bake;
#[path = "../../examples/batch.rs"]
mod batch;
#[path = "../../examples/batch_stream.rs"]
mod batch_stream;
#[path = "../../examples/first_hit.rs"]
mod first_hit;
#[path = "../../examples/forest.rs"]
mod forest;
#[path = "../../examples/inside_test.rs"]
mod inside_test;
#[path = "../../examples/lidar_sweep.rs"]
mod lidar_sweep;
#[path = "../../examples/pick_moving.rs"]
mod pick_moving;
#[path = "../../examples/pick_teapot.rs"]
mod pick_teapot;
#[path = "../../examples/robot_arm.rs"]
mod robot_arm;
#[path = "../../examples/scan_distance.rs"]
mod scan_distance;
#[path = "../../examples/shadow_rays.rs"]
mod shadow_rays;
#[path = "../../examples/slices.rs"]
mod slices;
#[path = "../../examples/voxel_grid.rs"]
mod voxel_grid;
#[path = "../../examples/wall_thickness.rs"]
mod wall_thickness;
#[path = "../../examples/write_demo.rs"]
mod write_demo;
#[path = "../../examples/write_rays.rs"]
mod write_rays;

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::var("EXAMPLE")?;
    match name.as_str() {
        "ao_bake" => ao_bake::main(),
        "batch" => batch::main(),
        "batch_stream" => batch_stream::main(),
        "first_hit" => Ok(first_hit::main()?),
        "forest" => forest::main(),
        "inside_test" => inside_test::main(),
        "lidar_sweep" => lidar_sweep::main(),
        "pick_moving" => pick_moving::main(),
        "pick_teapot" => pick_teapot::main(),
        "robot_arm" => robot_arm::main(),
        "scan_distance" => scan_distance::main(),
        "shadow_rays" => shadow_rays::main(),
        "slices" => slices::main(),
        "voxel_grid" => voxel_grid::main(),
        "wall_thickness" => wall_thickness::main(),
        "write_demo" => write_demo::main(),
        "write_rays" => write_rays::main(),
        _ => Err(format!("there is no example {name}").into()),
    }
}
