//! The functions that ask about rays.

use crate::call::{Call, call, given, room};
use crate::handles::{estoc_lists, estoc_world, give};
use crate::hits::estoc_hit;
use crate::numbers::{ESTOC_I32, ESTOC_I64};
use crate::outputs::{estoc_output, estoc_outputs};
use crate::ray_options::{RayOptions, estoc_ray_options};
use crate::ray_questions::{First, Plain, RayLists, RayValues, Rays};
use crate::rays::{RayInput, estoc_ray, estoc_rays};
use crate::run::{Run, estoc_run};
use crate::status::{Failure, estoc_status};
use crate::world::World;
use std::mem::MaybeUninit;

/// Tells the first hit on one ray; of hits at exactly the same place that on the triangle with the lowest number. `options` may be
/// null.
///
/// `t` is in lengths of the direction. A ray that is not defined, as one with NaN, misses. Fails with `ESTOC_BAD_QUERY` if the
/// ray does not hit the triangle in `options->after`. Any thread may call it, and any number of them at the same time.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_closest_hit(
    world: *const estoc_world,
    ray: Option<&estoc_ray>,
    options: Option<&estoc_ray_options>,
    hit: Option<&mut MaybeUninit<estoc_hit>>,
) -> estoc_status {
    call(|call| {
        let world: &World = call.get(world)?;
        let (ray, to) = (given(ray, "ray")?, room(hit, "hit")?);
        to.write(match RayOptions::restricts_nothing(options) {
            true => Plain(ray).hit(world)?,
            false => {
                let options = &RayOptions::of(options, 1, call)?;
                First { ray, options }.hit(world)?
            }
        });
        Ok(())
    })
}

/// Tells whether one ray hits anything: 1 or 0. As `estoc_closest_hit` otherwise.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_any_hit(
    world: *const estoc_world,
    ray: Option<&estoc_ray>,
    options: Option<&estoc_ray_options>,
    found: Option<&mut MaybeUninit<i32>>,
) -> estoc_status {
    one(world, RayValues::Any, ray, options, |outputs| {
        outputs.found = estoc_output::at(room(found, "found")?, ESTOC_I32);
        Ok(())
    })
}

/// Tells how many triangles one ray touches. As `estoc_closest_hit` otherwise.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_count_hits(
    world: *const estoc_world,
    ray: Option<&estoc_ray>,
    options: Option<&estoc_ray_options>,
    count: Option<&mut MaybeUninit<i64>>,
) -> estoc_status {
    one(world, RayValues::Count, ray, options, |outputs| {
        outputs.count = estoc_output::at(room(count, "count")?, ESTOC_I64);
        Ok(())
    })
}

/// Tells how often one ray crosses the surface: at an edge or corner that triangles share once, and not at all or twice where it
/// only grazes. As `estoc_closest_hit` otherwise.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_count_crossings(
    world: *const estoc_world,
    ray: Option<&estoc_ray>,
    options: Option<&estoc_ray_options>,
    count: Option<&mut MaybeUninit<i64>>,
) -> estoc_status {
    one(world, RayValues::CountCrossings, ray, options, |outputs| {
        outputs.count = estoc_output::at(room(count, "count")?, ESTOC_I64);
        Ok(())
    })
}

/// Asks about one ray in the calling thread.
fn one(
    world: *const estoc_world,
    question: RayValues,
    ray: Option<&estoc_ray>,
    options: Option<&estoc_ray_options>,
    to: impl FnOnce(&mut estoc_outputs) -> Result<(), Failure>,
) -> estoc_status {
    call(|call| {
        let world: &World = call.get(world)?;
        let mut outputs = estoc_outputs::NONE;
        to(&mut outputs)?;
        let rays = &RayInput::of_one(given(ray, "ray")?)?;
        let (options, run) = (RayOptions::of(options, 1, call)?, Run::here());
        Rays { rays, options, run }.write(world, question, &outputs)
    })
}

/// Asks about rays, with the answers in outputs.
fn write(
    world: *const estoc_world,
    question: RayValues,
    rays: Option<&estoc_rays>,
    options: Option<&estoc_ray_options>,
    run: Option<&estoc_run>,
    outputs: Option<&estoc_outputs>,
) -> estoc_status {
    call(|call| {
        let world: &World = call.get(world)?;
        let outputs = given(outputs, "outputs")?;
        asked(call, rays, options, run, |rays| {
            rays.write(world, question, outputs)
        })
    })
}

/// Asks about rays, with the answers in lists.
fn list(
    world: *const estoc_world,
    question: RayLists,
    rays: Option<&estoc_rays>,
    options: Option<&estoc_ray_options>,
    run: Option<&estoc_run>,
    lists: Option<&mut MaybeUninit<*mut estoc_lists>>,
) -> estoc_status {
    call(|call| {
        let world: &World = call.get(world)?;
        let to = room(lists, "lists")?;
        asked(call, rays, options, run, |rays| {
            give(rays.lists(world, question)?, to)
        })
    })
}

fn asked(
    call: &Call,
    rays: Option<&estoc_rays>,
    options: Option<&estoc_ray_options>,
    run: Option<&estoc_run>,
    ask: impl FnOnce(&Rays<'_>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let rays = &RayInput::of(rays)?;
    let options = RayOptions::of(options, rays.len(), call)?;
    let run = Run::of(run, call)?;
    ask(&Rays { rays, options, run })
}

/// Tells the first hit on each ray: `t`, `prim`, `u` and `v`, in scenes `path`, too. For a miss `prim` is `ESTOC_NONE`, and only
/// that tells it. `options` and `run` may be null.
///
/// Rays are traced by all threads of the library, unless `run` has others, and in the fastest way for their order. The answers
/// are those of `estoc_closest_hit`, to the bit, whatever the number of threads.
///
/// Fails with `ESTOC_NULL`, `ESTOC_BAD_ARGUMENT` and `ESTOC_BAD_LENGTH` for arrays that cannot be, with `ESTOC_BAD_QUERY` for the
/// first ray that does not hit its triangle in `after`, with `ESTOC_CANCELLED`, `ESTOC_NO_MEMORY` and `ESTOC_NO_THREADS`. Any
/// thread may call it, and any number of them at the same time.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_closest_hits(
    world: *const estoc_world,
    rays: Option<&estoc_rays>,
    options: Option<&estoc_ray_options>,
    run: Option<&estoc_run>,
    outputs: Option<&estoc_outputs>,
) -> estoc_status {
    write(world, RayValues::Closest, rays, options, run, outputs)
}

/// Tells whether each ray hits anything: `found`. As `estoc_closest_hits` otherwise.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_any_hits(
    world: *const estoc_world,
    rays: Option<&estoc_rays>,
    options: Option<&estoc_ray_options>,
    run: Option<&estoc_run>,
    outputs: Option<&estoc_outputs>,
) -> estoc_status {
    write(world, RayValues::Any, rays, options, run, outputs)
}

/// Tells how many triangles each ray touches: `count`. As `estoc_closest_hits` otherwise.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_hit_counts(
    world: *const estoc_world,
    rays: Option<&estoc_rays>,
    options: Option<&estoc_ray_options>,
    run: Option<&estoc_run>,
    outputs: Option<&estoc_outputs>,
) -> estoc_status {
    write(world, RayValues::Count, rays, options, run, outputs)
}

/// Tells how often each ray crosses the surface: `count`. As `estoc_closest_hits` otherwise.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_crossing_counts(
    world: *const estoc_world,
    rays: Option<&estoc_rays>,
    options: Option<&estoc_ray_options>,
    run: Option<&estoc_run>,
    outputs: Option<&estoc_outputs>,
) -> estoc_status {
    write(
        world,
        RayValues::CountCrossings,
        rays,
        options,
        run,
        outputs,
    )
}

/// Lists every triangle that each ray touches, in order along the ray: "t", "prim", "u", "v", in scenes "path", too. As
/// `estoc_closest_hits` otherwise; fails with `ESTOC_TOO_MANY` beyond `run->max_values`. Release the lists by `estoc_release`.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_all_hits(
    world: *const estoc_world,
    rays: Option<&estoc_rays>,
    options: Option<&estoc_ray_options>,
    run: Option<&estoc_run>,
    lists: Option<&mut MaybeUninit<*mut estoc_lists>>,
) -> estoc_status {
    list(world, RayLists::All, rays, options, run, lists)
}

/// Lists the first `k` hits on each ray. As `estoc_all_hits` otherwise.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_first_hits(
    world: *const estoc_world,
    k: usize,
    rays: Option<&estoc_rays>,
    options: Option<&estoc_ray_options>,
    run: Option<&estoc_run>,
    lists: Option<&mut MaybeUninit<*mut estoc_lists>>,
) -> estoc_status {
    list(world, RayLists::FirstK(k), rays, options, run, lists)
}

/// Lists the crossings of the surface on each ray. As `estoc_all_hits` otherwise.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_crossings(
    world: *const estoc_world,
    rays: Option<&estoc_rays>,
    options: Option<&estoc_ray_options>,
    run: Option<&estoc_run>,
    lists: Option<&mut MaybeUninit<*mut estoc_lists>>,
) -> estoc_status {
    list(world, RayLists::Crossings, rays, options, run, lists)
}

/// Lists the hits on each ray at different parameters: of those at exactly the same one that on the triangle with the lowest number.
/// As `estoc_all_hits` otherwise.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_distinct_hits(
    world: *const estoc_world,
    rays: Option<&estoc_rays>,
    options: Option<&estoc_ray_options>,
    run: Option<&estoc_run>,
    lists: Option<&mut MaybeUninit<*mut estoc_lists>>,
) -> estoc_status {
    list(world, RayLists::Distinct, rays, options, run, lists)
}
