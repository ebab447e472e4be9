//! What a picture shows of the surface that its rays meet.

mod ambient;
mod depth;
mod facing;
mod heat;
mod id;
mod material;
mod normal;
mod paint;
mod sobol;
mod survey;

use crate::model::Model;
use crate::picture::legend::Legend;
pub(crate) use paint::paint;

use clap::ValueEnum;
use estoc::glam::Vec3;
use estoc::{Bvh, Camera, Hit, Ray, RayQuery};
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use survey::Survey;

/// What the colours of a picture say.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub(crate) enum Shade {
    /// How far away the surface is, along the view
    Depth,
    /// The direction of the surface: x, y, z as red, green, blue
    Normal,
    /// How squarely the surface is seen; back sides are orange
    Facing,
    /// Every triangle in a colour of its own; above 50,000 triangles neighbours share a hue
    Id,
    /// The diffuse colours of materials
    Material,
    /// Ambient occlusion: how much of the sky the surface sees
    Ao,
    /// How many steps of traversal each ray took
    Heat,
}

impl fmt::Display for Shade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.to_possible_value();
        f.write_str(value.as_ref().map_or("", |value| value.get_name()))
    }
}

/// What rays are cast at.
pub(crate) struct Scene<'a> {
    pub(crate) model: Model<'a>,
    pub(crate) bvh: &'a Bvh,
    rays: AtomicUsize,
}

impl<'a> Scene<'a> {
    pub(crate) fn new(model: Model<'a>) -> Self {
        Scene {
            model,
            bvh: model.bvh,
            rays: AtomicUsize::new(0),
        }
    }

    /// How many rays were counted.
    pub(crate) fn rays(&self) -> usize {
        self.rays.load(Ordering::Relaxed)
    }

    /// What the closest hit of a ray costs: the nodes and leaves that it tests.
    fn steps(&self, ray: &Ray) -> f32 {
        let steps = self.bvh.closest_hit_steps(ray);
        (steps.nodes + steps.leaves) as f32
    }

    /// Counts rays that were cast.
    pub(crate) fn count(&self, rays: usize) {
        self.rays.fetch_add(rays, Ordering::Relaxed);
    }
}

/// One ray of a picture.
pub(crate) struct Look {
    pub(crate) ray: Ray,
    /// Its place in the picture, each from 0 to 1.
    pub(crate) place: [f32; 2],
    /// Which pixel, and which look of that pixel: what would be random follows from these.
    pub(crate) pixel: u64,
    pub(crate) number: u32,
}

impl Look {
    /// What the ray meets.
    fn hit(&self, scene: &Scene<'_>) -> Option<Hit> {
        scene.bvh.closest_hit(&self.ray)
    }
}

/// Gives looks their light.
pub(crate) trait Shader: Sync {
    fn light(&self, scene: &Scene<'_>, look: &Look) -> Vec3;

    /// How many looks are taken for each sample that the user asks for.
    fn looks_per_sample(&self) -> u32 {
        1
    }

    /// From the mean light of a pixel's looks to what is shown of it.
    fn develop(&self, light: Vec3) -> Vec3 {
        light
    }

    /// What the colours mean, where numbers help.
    fn legend(&self) -> Option<Legend<'_>> {
        None
    }
}

impl Shade {
    /// A shader for pictures of this camera: some need to know beforehand what will be seen.
    pub(crate) fn shader(self, scene: &Scene<'_>, camera: &Camera, up: Vec3) -> Box<dyn Shader> {
        match self {
            Shade::Depth => Box::new(depth::Depth::new(&Survey::distances(scene, camera))),
            Shade::Normal => Box::new(normal::Normal),
            Shade::Facing => Box::new(facing::Facing),
            Shade::Id => Box::new(id::Id::of(scene.bvh.triangle_count())),
            Shade::Material => Box::new(material::Materials::of(scene.model)),
            Shade::Ao => Box::new(ambient::Ambient::new(&Survey::distances(scene, camera), up)),
            Shade::Heat => Box::new(heat::Heat::new(&Survey::steps(scene, camera))),
        }
    }
}

/// The triangle's normal, of length 1, on the side that the ray comes from; and whether that
/// is the front.
fn facing_normal(scene: &Scene<'_>, ray: &Ray, hit: &Hit) -> (Vec3, bool) {
    let triangle = scene.model.triangle(hit.prim);
    // What was hit has an area, and so a normal.
    let normal = triangle.and_then(|t| t.normal()).unwrap_or(-ray.dir);
    if normal.dot(ray.dir) > 0.0 {
        (-normal, false)
    } else {
        (normal, true)
    }
}

/// How bright a surface is that is lit from the eye: 1 where it is seen squarely.
fn headlight(ray: &Ray, normal: Vec3) -> f32 {
    let squarely = (-ray.dir.dot(normal)).clamp(0.0, 1.0);
    0.12 + 0.88 * squarely
}

/// Behind everything: a studio wall, brighter below.
fn backdrop(look: &Look) -> Vec3 {
    let [_, down] = look.place;
    Vec3::new(0.58, 0.62, 0.68).lerp(Vec3::new(0.88, 0.89, 0.9), down)
}

/// The same, dark: for pictures that are read by their colours.
fn dark_backdrop(look: &Look) -> Vec3 {
    let [_, down] = look.place;
    Vec3::new(0.012, 0.014, 0.02).lerp(Vec3::new(0.03, 0.033, 0.042), down)
}
