//! Paints the picture of a view tile by tile, with many camera rays per pixel.

use crate::error::PictureError;
use crate::picture::colour::shown;
use crate::picture::{Picture, Size};
use crate::shade::{Look, Scene, Shade, Shader, SkyRay, SkyRays};
use crate::target::{Target, scene_hit};
use crate::view::View;
use estoc::batch::Coherence;
use estoc::camera::Tile;
use estoc::glam::{Vec2, Vec3};
use estoc::scene::SceneHit;
use estoc::{Batch, Bvh, Camera, CancelToken, Progress, Ray};
use estoc_memory::has_room;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Pixels along the side of a tile: the task of a thread.
const TILE: u32 = 32;
/// The number of camera rays that are traced together, if a tile has that many.
const TOGETHER: usize = 4096;
/// The largest number of adjacent rays in one pixel.
const ADJACENT: u32 = 16;

/// How a picture is painted.
///
/// ```
/// use estoc::{Bvh, CancelToken, demo::DemoSpec};
/// use estoc_picture::{MeshTarget, Paint, PictureError, Shade, Size, ViewOptions};
/// let mesh = "box".parse::<DemoSpec>()?.mesh();
/// let bvh = Bvh::build(&mesh);
/// let (target, size) = (MeshTarget::new(&mesh, &bvh).into(), Size::new(40, 30)?);
/// let view = ViewOptions::default().view(target, size);
/// let cancel = CancelToken::new();
/// let paint = Paint::new(target).shade(Shade::Depth).samples(2).cancel(&cancel);
/// assert_eq!(paint.paint(&view, size)?.picture.size(), size);
/// cancel.cancel();
/// assert!(matches!(paint.paint(&view, size), Err(PictureError::Cancelled)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Paint<'a> {
    target: Target<'a>,
    to: Option<&'a Bvh>,
    shade: Shade,
    samples: u32,
    has_legend: bool,
    cancel: Option<&'a CancelToken>,
    progress: Option<&'a (dyn Fn(Progress) + Sync)>,
}

/// A painted picture.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Painted {
    /// The picture.
    pub picture: Picture,
    /// The number of rays that were cast.
    pub rays: usize,
}

impl<'a> Paint<'a> {
    /// The number of samples unless another is set.
    pub const SAMPLES: u32 = 16;

    /// The largest number of samples.
    pub const MOST_SAMPLES: u32 = 4096;

    /// Paints a target in the shade [`Shade::Ao`], with [`Paint::SAMPLES`] samples and a legend.
    pub fn new(target: Target<'a>) -> Self {
        Paint {
            target,
            to: None,
            shade: Shade::Ao,
            samples: Paint::SAMPLES,
            has_legend: true,
            cancel: None,
            progress: None,
        }
    }

    /// Sets what the colours show.
    pub fn shade(self, shade: Shade) -> Self {
        Paint { shade, ..self }
    }

    /// Sets the number of rays through each pixel, which smooth edges: from 1 to
    /// [`Paint::MOST_SAMPLES`]. Ambient occlusion casts 4 for each of these, and 4 more towards the sky
    /// from each hit.
    pub fn samples(self, samples: u32) -> Self {
        Paint { samples, ..self }
    }

    /// Sets the mesh from which [`Shade::Distance`] measures; without one, it is the mesh itself.
    pub fn to(self, other: Option<&'a Bvh>) -> Self {
        Paint { to: other, ..self }
    }

    /// Sets whether a legend is drawn where colours stand for numbers, if the picture is large enough.
    pub fn legend(self, has_legend: bool) -> Self {
        Paint { has_legend, ..self }
    }

    /// Sets what cancels the work; it then ends within some thousand rays of each thread.
    pub fn cancel(self, cancel: &'a CancelToken) -> Self {
        Paint {
            cancel: Some(cancel),
            ..self
        }
    }

    /// Sets a function that is told the number of tiles that are painted, and of all: 0 at first, and
    /// then by the threads that paint, once for each tile; the numbers may arrive out of order.
    pub fn progress(self, progress: &'a (dyn Fn(Progress) + Sync)) -> Self {
        Paint {
            progress: Some(progress),
            ..self
        }
    }

    /// Paints the picture of a view. The bytes are the same for any number of threads.
    ///
    /// # Errors
    /// - [`PictureError::Shade`]: the target does not have what the shade shows.
    /// - [`PictureError::Samples`]: a number of samples that is not allowed.
    /// - [`PictureError::Camera`]: the view has no camera; see [`View::camera`].
    /// - [`PictureError::NoMemory`], [`PictureError::Cancelled`].
    pub fn paint(&self, view: &View, size: Size) -> Result<Painted, PictureError> {
        self.check()?;
        let bytes = size.bytes_to_paint();
        if !has_room(bytes) {
            return Err(PictureError::NoMemory { bytes });
        }
        let scene = Scene::new(self.target).to(self.to);
        let (width, height) = (size.width() as u32, size.height() as u32);
        let tiles: Vec<Tile> = Tile::all(width, height, TILE).collect();
        let camera = view.camera(size)?;
        let up = view.up.normalize_or(Vec3::Y);
        let shader = self.shade.shader(&scene, &camera, up);
        let painter = Painter {
            scene: &scene,
            camera: &camera,
            size,
            shader: &*shader,
            looks: self.samples * shader.looks_per_sample(),
            cancel: self.cancel,
        };
        let (done, count) = (AtomicUsize::new(0), tiles.len() as u64);
        if let Some(progress) = self.progress {
            progress(Progress::new(0, count));
        }
        let painted = |&tile: &Tile| {
            let part = painter.paint(tile)?;
            let done = 1 + done.fetch_add(1, Ordering::Relaxed) as u64;
            if let Some(progress) = self.progress {
                progress(Progress::new(done, count));
            }
            Ok((tile, part))
        };
        let painted: Result<Vec<_>, PictureError> = tiles.par_iter().map(painted).collect();
        let mut picture = Picture::plain(size, [0; 3]);
        for (tile, part) in painted? {
            picture.put(&part, tile.x as usize, tile.y as usize);
        }
        if let Some(legend) = shader.legend().filter(|_| self.has_legend) {
            legend.draw(&mut picture);
        }
        let rays = scene.rays();
        Ok(Painted { picture, rays })
    }

    fn check(&self) -> Result<(), PictureError> {
        let shade = self.shade;
        if !(1..=Paint::MOST_SAMPLES).contains(&self.samples) {
            return Err(PictureError::Samples {
                given: self.samples,
                most: Paint::MOST_SAMPLES,
            });
        }
        let (fits, needed) = match self.target {
            Target::Mesh(_) => (shade.is_for_meshes(), "a scene of placed meshes"),
            Target::Scene(_) => (
                shade.is_for_scenes(),
                "one mesh, not a scene of placed meshes",
            ),
        };
        match fits {
            true => Ok(()),
            false => Err(PictureError::Shade { shade, needed }),
        }
    }
}

/// Paints the tiles of one picture.
struct Painter<'a> {
    scene: &'a Scene<'a>,
    camera: &'a Camera,
    size: Size,
    shader: &'a dyn Shader,
    /// The number of camera rays per pixel.
    looks: u32,
    cancel: Option<&'a CancelToken>,
}

impl Painter<'_> {
    /// Paints a tile.
    ///
    /// Rays are traced in an order in which each 16 and each 256 of them are close together: pixels
    /// along a Z-order curve (Morton 1966), and up to sixteen rays of a pixel in a row.
    fn paint(&self, tile: Tile) -> Result<Picture, PictureError> {
        let mut pixels: Vec<(u32, u32)> = tile.pixels().collect();
        pixels.sort_by_key(|&(x, y)| spread(x - tile.x) | spread(y - tile.y) << 1);
        let (width, height) = (tile.width as usize, tile.height as usize);
        let mut picture = Picture::plain(Size::of_part(width, height), [0; 3]);
        let adjacent = self.looks.min(ADJACENT);
        for pixels in pixels.chunks(TOGETHER / adjacent as usize) {
            let mut sums = vec![Vec3::ZERO; pixels.len()];
            for first in (0..self.looks).step_by(adjacent as usize) {
                self.check_cancel()?;
                let numbers = first..self.looks.min(first + adjacent);
                self.add(pixels, numbers, &mut sums)?;
            }
            for (&(x, y), sum) in pixels.iter().zip(sums) {
                let light = self.shader.develop(sum / self.looks as f32);
                let (column, row) = ((x - tile.x) as usize, (y - tile.y) as usize);
                picture.set(column, row, shown(light));
            }
        }
        Ok(picture)
    }

    fn check_cancel(&self) -> Result<(), PictureError> {
        match self.cancel.is_some_and(CancelToken::is_cancelled) {
            true => Err(PictureError::Cancelled),
            false => Ok(()),
        }
    }

    /// Adds, to the sum of each pixel, the light of its rays of these numbers.
    fn add(
        &self,
        pixels: &[(u32, u32)],
        numbers: Range<u32>,
        sums: &mut [Vec3],
    ) -> Result<(), PictureError> {
        let looks = (pixels.iter())
            .flat_map(|&pixel| numbers.clone().map(move |number| self.look(pixel, number)));
        let looks: Vec<(Look, Option<SceneHit>)> = match self.shader.needs_hits() {
            false => looks.map(|look| (look, None)).collect(),
            true => {
                let looks: Vec<Look> = looks.collect();
                let rays: Vec<Ray> = looks.iter().map(|look| look.ray).collect();
                let hits = self.closest_hits(&rays)?;
                looks.into_iter().zip(hits).collect()
            }
        };
        self.scene.count(looks.len());
        let (sky, ends) = self.sky(&looks)?;
        let mut first = 0;
        for (i, ((look, hit), end)) in looks.iter().zip(ends).enumerate() {
            let sky = &sky[first..end];
            let light = self.shader.light(self.scene, look, hit.as_ref(), sky);
            sums[i / numbers.len()] += light.clamp(Vec3::ZERO, Vec3::ONE);
            first = end;
        }
        Ok(())
    }

    /// Returns the closest hits of rays that are close together. One thread for each tile.
    fn closest_hits(&self, rays: &[Ray]) -> Result<Vec<Option<SceneHit>>, PictureError> {
        match self.scene.target {
            Target::Mesh(mesh) => {
                let batch = Batch::new().threads(1).coherence(Coherence::Coherent);
                let hits = batch.closest_hits(mesh.bvh(), rays)?;
                Ok(hits.into_iter().map(|hit| hit.map(scene_hit)).collect())
            }
            Target::Scene(scene) => {
                let batch = Batch::default().threads(1).coherence(Coherence::Coherent);
                Ok(batch.closest_hits(scene.snapshot(), rays)?)
            }
        }
    }

    /// Returns whether something is in the way of each ray.
    fn any_hits(&self, rays: &SkyRays) -> Result<Vec<bool>, PictureError> {
        Ok(match (rays, self.scene.target) {
            (SkyRays::Mesh(rays, options), Target::Mesh(mesh)) => {
                let batch = Batch::new().threads(1).options_each(options);
                batch.any_hits(mesh.bvh(), rays)?
            }
            (SkyRays::Scene(rays, options), Target::Scene(scene)) => {
                let batch = Batch::default().threads(1).options_each(options);
                batch.any_hits(scene.snapshot(), rays)?
            }
            _ => vec![false; rays.rays().len()],
        })
    }

    /// Casts the rays towards the sky of these camera rays. Returns them, and for each camera ray
    /// the number of those up to its last one.
    fn sky(
        &self,
        looks: &[(Look, Option<SceneHit>)],
    ) -> Result<(Vec<SkyRay>, Vec<usize>), PictureError> {
        let mut rays = SkyRays::of(self.scene.target);
        let ends = looks.iter().map(|(look, hit)| {
            let hit = hit.as_ref();
            (self.shader).sky_rays(self.scene, look, hit, &mut rays);
            rays.rays().len()
        });
        let ends = ends.collect();
        let blocked = self.any_hits(&rays)?;
        let rays = rays.rays();
        self.scene.count(rays.len());
        let sky = rays.iter().zip(blocked).map(|(ray, is_blocked)| SkyRay {
            dir: ray.dir,
            is_blocked,
        });
        Ok((sky.collect(), ends))
    }

    /// Returns a camera ray of a pixel.
    fn look(&self, (x, y): (u32, u32), number: u32) -> Look {
        let (width, height) = (self.size.width(), self.size.height());
        let corner = Vec2::new(self.camera.viewport().x, self.camera.viewport().y);
        let at = Vec2::new(x as f32, y as f32) + within_pixel(number);
        Look {
            ray: self.camera.ray(corner + at),
            place: [at.x / width as f32, at.y / height as f32],
            pixel: u64::from(y) * width as u64 + u64::from(x),
            number,
        }
    }
}

/// Inserts a zero between adjacent bits of the lowest sixteen.
fn spread(bits: u32) -> u32 {
    let bits = (bits | bits << 8) & 0x00ff_00ff;
    let bits = (bits | bits << 4) & 0x0f0f_0f0f;
    let bits = (bits | bits << 2) & 0x3333_3333;
    (bits | bits << 1) & 0x5555_5555
}

/// Returns the position of a camera ray in its pixel: the centre first, then evenly spread (Roberts
/// 2018).
fn within_pixel(number: u32) -> Vec2 {
    let share = |step: u32| {
        let place = number.wrapping_mul(step).wrapping_add(1 << 31);
        (place >> 8) as f32 / (1u32 << 24) as f32
    };
    Vec2::new(share(0xc13f_a9a9), share(0x91e1_0da5))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MeshTarget, SceneTarget, ViewOptions};
    use estoc::demo::DemoSpec;
    use estoc::scene::{Placement, Scene as PlacedScene};
    use std::sync::Mutex;

    #[test]
    fn pictures_are_refused_painted_alike_and_cancelled() {
        let mesh = "solids?n=60".parse::<DemoSpec>().unwrap().mesh();
        let bvh = Bvh::build(&mesh);
        let target = Target::from(MeshTarget::new(&mesh, &bvh));
        let size = Size::new(70, 50).unwrap();
        let view = ViewOptions::default().view(target, size);
        let paint = Paint::new(target).samples(1);
        for samples in [0, Paint::MOST_SAMPLES + 1] {
            let refused = paint.samples(samples).paint(&view, size);
            let error = refused.unwrap_err().to_string();
            assert!(error.starts_with(&format!("{samples} samples")), "{error}");
        }
        let error = paint.shade(Shade::Instance).paint(&view, size).unwrap_err();
        assert!(error.to_string().contains("needs a scene"), "{error}");
        let bad = View {
            fov: f32::NAN,
            ..view
        };
        let error = paint.paint(&bad, size).unwrap_err();
        assert!(matches!(error, PictureError::Camera(_)), "{error}");

        // A scene of the mesh has the same picture, by any number of threads.
        let mut scene = PlacedScene::new();
        let alone = Placement::new(bvh.clone(), &estoc::glam::DAffine3::IDENTITY);
        scene.add(alone.unwrap()).unwrap();
        let snapshot = scene.commit();
        let placed = Paint::new(SceneTarget::new(&snapshot).into()).samples(1);
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build();
        let expected = paint.paint(&view, size).unwrap();
        let found = one.unwrap().install(|| placed.paint(&view, size)).unwrap();
        assert!(found.picture == expected.picture);
        let error = placed.shade(Shade::Heat).paint(&view, size).unwrap_err();
        assert!(matches!(error, PictureError::Shade { .. }), "{error}");

        // Cancelled in the middle, by what is told the progress.
        let (cancel, told) = (CancelToken::new(), Mutex::new(Vec::new()));
        let progress = |now: Progress| {
            told.lock().unwrap().push(now);
            cancel.cancel();
        };
        let stopped = paint.cancel(&cancel).progress(&progress).paint(&view, size);
        assert!(matches!(stopped, Err(PictureError::Cancelled)));
        assert_eq!(*told.lock().unwrap(), [Progress::new(0, 6)]);
    }

    #[test]
    fn pixels_in_z_order_are_squares() {
        let mut pixels: Vec<(u32, u32)> =
            (0..32).flat_map(|y| (0..32).map(move |x| (x, y))).collect();
        pixels.sort_by_key(|&(x, y)| spread(x) | spread(y) << 1);
        for side in [2, 4, 8, 16] {
            for square in pixels.chunks((side * side) as usize) {
                let (x, y) = square[0];
                let is_in = |&(i, j): &(u32, u32)| i / side == x / side && j / side == y / side;
                assert!(square.iter().all(is_in), "{side}: {square:?}");
            }
        }
        assert_eq!(spread(0b1011), 0b100_0101);
    }
}
