//! Shading: what a picture shows of the surfaces that its rays hit.

mod ambient;
mod depth;
mod distance;
mod facing;
mod heat;
mod id;
mod instance;
mod material;
mod normal;
mod sobol;
mod survey;
mod thickness;

use crate::picture::legend::Legend;
use crate::target::Target;
use crate::watch::WorkWatch;
use estoc::glam::Vec3;
use estoc::scene::{SceneHit, ScenePrim, SceneSnapshot};
use estoc::{Camera, Ray};
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};
use survey::Survey;
use thickness::ThicknessShader;

/// What the colours of a picture show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Shade {
    /// Distance from the eye to the surface.
    Depth,
    /// Normal of the surface: x, y, z as red, green, blue.
    Normal,
    /// Angle at which the surface is seen; back sides are orange.
    Facing,
    /// A colour for each triangle or shape; above 50,000 triangles, neighbours share a hue.
    Id,
    /// The diffuse colours of materials.
    Material,
    /// Ambient occlusion: how much of the sky the surface sees.
    Ao,
    /// Number of traversal steps of each ray.
    Heat,
    /// Distance from another mesh.
    Distance,
    /// How far it is straight in to the other side; dark grey where there is none.
    Thickness,
    /// Diameter of the largest sphere that touches the surface from inside; dark grey where there is none.
    SphereThickness,
    /// A colour for each placement of a scene.
    Instance,
}

impl Shade {
    /// All shades.
    pub const ALL: [Shade; 11] = [
        Shade::Depth,
        Shade::Normal,
        Shade::Facing,
        Shade::Id,
        Shade::Material,
        Shade::Ao,
        Shade::Heat,
        Shade::Distance,
        Shade::Thickness,
        Shade::SphereThickness,
        Shade::Instance,
    ];

    /// Returns the name: that of `estoc render --shade`.
    pub fn name(self) -> &'static str {
        self.name_and_description().0
    }

    /// Returns the shade of a name; `None` if there is none.
    pub fn of_name(name: &str) -> Option<Self> {
        Shade::ALL.into_iter().find(|shade| shade.name() == name)
    }

    /// Returns what the colours show, in words.
    pub fn description(self) -> &'static str {
        self.name_and_description().1
    }

    fn name_and_description(self) -> (&'static str, &'static str) {
        match self {
            Shade::Depth => ("depth", "Distance from the eye to the surface"),
            Shade::Normal => (
                "normal",
                "Normal of the surface: x, y, z as red, green, blue",
            ),
            Shade::Facing => (
                "facing",
                "Angle at which the surface is seen; back sides are orange",
            ),
            Shade::Id => (
                "id",
                "A colour for each triangle or shape; above 50,000 triangles, neighbours share a hue",
            ),
            Shade::Material => ("material", "The diffuse colours of materials"),
            Shade::Ao => (
                "ao",
                "Ambient occlusion: how much of the sky the surface sees",
            ),
            Shade::Heat => ("heat", "Number of traversal steps of each ray"),
            Shade::Distance => ("distance", "Distance from another mesh"),
            Shade::Thickness => (
                "thickness",
                "How far it is straight in to the other side; dark grey where there is none",
            ),
            Shade::SphereThickness => (
                "sphere-thickness",
                "Diameter of the largest sphere that fits in; dark grey where there is none",
            ),
            Shade::Instance => ("instance", "A colour for each placement of a scene"),
        }
    }

    /// Returns, in words, what the shade needs that a scene of placed meshes, or one mesh, does not have;
    /// `None` if the colours can be computed.
    pub fn lacks(self, is_scene: bool) -> Option<&'static str> {
        match (self, is_scene) {
            (Shade::Instance, false) => Some("a scene of placed meshes"),
            (Shade::Heat | Shade::Distance | Shade::Thickness, true) => {
                Some("one mesh, not a scene of placed meshes")
            }
            _ => None,
        }
    }
}

impl Target<'_> {
    /// Returns, in words, what a shade needs that this target does not have; `None` if the colours can be
    /// computed.
    pub fn lacks(self, shade: Shade) -> Option<&'static str> {
        let of_tree = shade == Shade::Heat && self.bvh().is_none();
        (shade.lacks(self.is_scene())).or(of_tree.then_some("a mesh in f32"))
    }
}

impl fmt::Display for Shade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The target of rays, with a count of the rays.
pub(crate) struct CountedTarget<'a> {
    pub(crate) target: Target<'a>,
    /// Another mesh or scene, from which distances are measured.
    reference: Option<&'a SceneSnapshot>,
    pub(crate) watch: WorkWatch<'a>,
    rays: AtomicUsize,
}

impl<'a> CountedTarget<'a> {
    pub(crate) fn new(target: Target<'a>) -> Self {
        CountedTarget {
            target,
            reference: None,
            watch: WorkWatch::default(),
            rays: AtomicUsize::new(0),
        }
    }

    /// Sets the mesh or scene from which distances are measured.
    pub(crate) fn reference(self, reference: Option<&'a SceneSnapshot>) -> Self {
        CountedTarget { reference, ..self }
    }

    /// Sets what cancels the work.
    pub(crate) fn watch(self, watch: WorkWatch<'a>) -> Self {
        CountedTarget { watch, ..self }
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.watch.is_cancelled()
    }

    /// Returns the number of rays counted.
    pub(crate) fn rays(&self) -> usize {
        self.rays.load(Ordering::Relaxed)
    }

    /// Returns the cost of the closest hit of a ray: the number of nodes and leaves that it tests. It
    /// is not known for what is placed.
    fn steps(&self, ray: &Ray) -> f32 {
        self.target.bvh().map_or(0.0, |bvh| {
            let steps = bvh.closest_hit_steps(ray);
            (steps.nodes + steps.leaves) as f32
        })
    }

    /// Counts rays that were cast.
    pub(crate) fn count(&self, rays: usize) {
        self.rays.fetch_add(rays, Ordering::Relaxed);
    }
}

/// One camera ray of a picture.
pub(crate) struct Look {
    pub(crate) ray: Ray,
    /// Its position in the picture, each coordinate from 0 to 1.
    pub(crate) place: [f32; 2],
    /// The index of the pixel.
    pub(crate) pixel: u64,
    /// The index of the ray in its pixel. Together they determine everything that looks random.
    pub(crate) number: u32,
}

/// What a camera ray sees.
#[derive(Clone, Copy)]
pub(crate) struct Sight<'a> {
    pub(crate) scene: &'a CountedTarget<'a>,
    pub(crate) look: &'a Look,
    /// The closest hit; `None` if nothing is hit, or if the shader needs no hits.
    pub(crate) hit: Option<&'a SceneHit>,
}

impl Sight<'_> {
    /// Returns the [`facing_normal`] of what is hit.
    fn facing_normal(&self) -> Option<(Vec3, bool)> {
        Some(facing_normal(self.scene, &self.look.ray, self.hit?))
    }

    /// Returns the light of what is hit, which has this colour and is lit from the eye.
    fn lit(&self, colour: Vec3) -> Option<Vec3> {
        let (normal, _) = self.facing_normal()?;
        Some(colour * headlight(&self.look.ray, normal))
    }
}

/// A ray that leaves a surface towards the sky.
pub(crate) struct SkyRay {
    pub(crate) dir: Vec3,
    pub(crate) is_blocked: bool,
}

/// The largest number of rays towards the sky for each camera ray.
pub(crate) const SKY_RAYS: usize = ambient::RAYS as usize;

/// Rays that leave surfaces towards the sky, and the triangle or shape that each leaves.
#[derive(Default)]
pub(crate) struct SkyRays {
    pub(crate) rays: Vec<Ray>,
    pub(crate) from: Vec<ScenePrim>,
}

impl SkyRays {
    /// Adds a ray that leaves this triangle or shape.
    fn push(&mut self, ray: Ray, from: ScenePrim) {
        self.rays.push(ray);
        self.from.push(from);
    }
}

/// Computes the light that camera rays see.
pub(crate) trait Shader: Sync {
    /// Returns the light that a camera ray sees, `None` for that of the [`backdrop`](Self::backdrop);
    /// `sky` are its [`sky_rays`](Self::sky_rays).
    fn light(&self, seen: &Sight<'_>, sky: &[SkyRay]) -> Option<Vec3>;

    /// Returns the light that a camera ray sees where nothing is shown.
    fn backdrop(&self, look: &Look) -> Vec3 {
        dark_backdrop(look)
    }

    /// Adds the rays towards the sky that the light of a camera ray depends on. Those of many camera
    /// rays are cast together.
    fn sky_rays(&self, _: &Sight<'_>, _: &mut SkyRays) {}

    /// Returns whether the light depends on closest hits; if not, there are none.
    fn needs_hits(&self) -> bool {
        true
    }

    /// Returns the number of camera rays for each sample that the user requests.
    fn looks_per_sample(&self) -> u32 {
        1
    }

    /// Converts the mean light of a pixel's rays to the light that is shown.
    fn develop(&self, light: Vec3) -> Vec3 {
        light
    }

    /// Returns the legend, if the colours stand for numbers.
    fn legend(&self) -> Option<Legend<'_>> {
        None
    }
}

impl Shade {
    /// Creates a shader for pictures of this camera; some shaders survey the picture first. Without
    /// another mesh, distances are those from the mesh itself. Returns `None` if the system has no memory
    /// for the colours.
    pub(crate) fn shader<'a>(
        self,
        scene: &CountedTarget<'a>,
        camera: &Camera,
        up: Vec3,
    ) -> Option<Box<dyn Shader + 'a>> {
        let by = |thickness| Box::new(ThicknessShader::new(scene, camera, thickness));
        Some(match self {
            Shade::Depth => Box::new(depth::DepthShader::new(&Survey::distances(scene, camera))),
            Shade::Normal => Box::new(normal::NormalShader),
            Shade::Facing => Box::new(facing::FacingShader),
            Shade::Id => Box::new(id::IdShader::of(scene.target.primitive_count())),
            Shade::Instance => Box::new(instance::InstanceShader),
            Shade::Material => Box::new(material::MaterialShader::of(scene.target)?),
            Shade::Ao => Box::new(ambient::AmbientShader::new(
                &Survey::distances(scene, camera),
                up,
            )),
            Shade::Heat => Box::new(heat::HeatShader::new(&Survey::steps(scene, camera))),
            Shade::Distance => {
                let other = scene.reference.unwrap_or(scene.target.world());
                Box::new(distance::DistanceShader::new(scene, other, camera))
            }
            Shade::Thickness => by(thickness::along_a_ray),
            Shade::SphereThickness => by(thickness::of_a_sphere),
        })
    }
}

/// Returns the normal of what is hit, of length 1, on the side that the ray comes from, and whether
/// that is the front.
fn facing_normal(scene: &CountedTarget<'_>, ray: &Ray, hit: &SceneHit) -> (Vec3, bool) {
    // What is hit has a normal, unless it is a sphere that is a point.
    let normal = scene.target.normal(ray, hit).unwrap_or(-ray.dir);
    if normal.dot(ray.dir) > 0.0 {
        (-normal, false)
    } else {
        (normal, true)
    }
}

/// Returns the brightness of a surface lit from the eye: 1 if it is seen at a right angle.
fn headlight(ray: &Ray, normal: Vec3) -> f32 {
    let squarely = (-ray.dir.dot(normal)).clamp(0.0, 1.0);
    0.12 + 0.88 * squarely
}

/// Returns the colour of the background: a gradient, brighter below.
fn backdrop(look: &Look) -> Vec3 {
    let [_, down] = look.place;
    Vec3::new(0.58, 0.62, 0.68).lerp(Vec3::new(0.88, 0.89, 0.9), down)
}

/// Like [`backdrop`], but dark, for pictures whose colours have a meaning.
fn dark_backdrop(look: &Look) -> Vec3 {
    let [_, down] = look.place;
    Vec3::new(0.012, 0.014, 0.02).lerp(Vec3::new(0.03, 0.033, 0.042), down)
}
