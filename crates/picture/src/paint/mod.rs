//! Paints the picture of a view.

mod accumulation;
mod painter;

pub use accumulation::Accumulation;
pub(crate) use painter::closest_hits;

use crate::error::PictureError;
use crate::picture::{Picture, PictureMemoryError, Size};
use crate::shade::{CountedTarget, Shade};
use crate::target::Target;
use crate::view::View;
use crate::watch::WorkWatch;
use estoc::camera::Tile;
use estoc::glam::Vec3;
use estoc::scene::SceneSnapshot;
use estoc::{CancelToken, Progress};
use estoc_system::has_room;
use painter::Painter;
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Pixels along the side of a tile: the task of a thread.
const TILE: u32 = 32;

/// How a picture is painted.
///
/// ```
/// use estoc::{Bvh, CancelToken, demo::DemoSpec, scene::SceneSnapshot};
/// use estoc_picture::{Paint, PictureError, Shade, Size, Target, ViewOptions};
/// let mesh = "box".parse::<DemoSpec>()?.mesh();
/// let world = SceneSnapshot::of_mesh(Bvh::build(&mesh))?;
/// let (target, size) = (Target::mesh(&world, &mesh), Size::try_new(40, 30)?);
/// let view = ViewOptions::new().view(target, size)?;
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
    reference: Option<&'a SceneSnapshot>,
    shade: Shade,
    samples: u32,
    has_legend: bool,
    watch: WorkWatch<'a>,
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
    pub const DEFAULT_SAMPLES: u32 = 16;

    /// The largest number of samples.
    pub const MAX_SAMPLES: u32 = 4096;

    /// Paints a target in the shade [`Shade::Ao`], with [`Paint::DEFAULT_SAMPLES`] samples and a legend.
    pub fn new(target: Target<'a>) -> Self {
        Paint {
            target,
            reference: None,
            shade: Shade::Ao,
            samples: Paint::DEFAULT_SAMPLES,
            has_legend: true,
            watch: WorkWatch::default(),
        }
    }

    /// Sets what the colours show.
    pub fn shade(self, shade: Shade) -> Self {
        Paint { shade, ..self }
    }

    /// Sets the number of rays through each pixel, which smooth edges: from 1 to
    /// [`Paint::MAX_SAMPLES`]. Ambient occlusion casts 4 for each of these, and 4 more towards the sky
    /// from each hit.
    pub fn samples(self, samples: u32) -> Self {
        Paint { samples, ..self }
    }

    /// Sets the mesh or scene from whose triangles [`Shade::Distance`] measures; without one, it is the
    /// target itself.
    pub fn reference(self, reference: Option<&'a SceneSnapshot>) -> Self {
        Paint { reference, ..self }
    }

    /// Sets whether a legend is drawn where colours stand for numbers, if the picture is large enough.
    pub fn legend(self, has_legend: bool) -> Self {
        Paint { has_legend, ..self }
    }

    /// Sets what cancels the work; it then ends within some ten thousand rays of
    /// each thread.
    pub fn cancel(mut self, cancel: &'a CancelToken) -> Self {
        self.watch.cancel = Some(cancel);
        self
    }

    /// Sets a function that is told the number of tiles that are painted, and of all: 0 at first, and
    /// then by the threads that paint, in order, once for each tile. Other threads wait meanwhile.
    pub fn progress(mut self, progress: &'a (dyn Fn(Progress) + Sync)) -> Self {
        self.watch.progress = Some(progress);
        self
    }

    /// Paints the picture of a view. The bytes are the same for any number of threads.
    ///
    /// # Errors
    /// - [`PictureError::Shade`]: the target does not have what the shade shows.
    /// - [`PictureError::Samples`]: a number of samples that is not allowed.
    /// - [`PictureError::Camera`]: the view has no camera; see [`View::camera`].
    /// - [`PictureError::NoMemory`], [`PictureError::Cancelled`].
    pub fn paint(&self, view: &View, size: Size) -> Result<Painted, PictureError> {
        self.paint_after(0, None, view, size)
    }

    /// Paints the same picture as [`paint`](Paint::paint), and keeps its light: if `light` is that of a
    /// picture of the same view, size and shade with at most as many samples, only the other rays are
    /// traced, and counted. Else all are. After an error, `light` is empty.
    ///
    /// It is not checked that `light` is of the same target; that of another one makes a wrong picture.
    ///
    /// # Errors
    /// As [`paint`](Paint::paint).
    pub fn accumulate(
        &self,
        view: &View,
        size: Size,
        light: &mut Accumulation,
    ) -> Result<Painted, PictureError> {
        let mut next = light.take(view, size, self.shade, self.samples);
        let done = next.samples();
        let painted = self.paint_after(done, Some(&mut next), view, size)?;
        next.set_samples(self.samples);
        *light = next;
        Ok(painted)
    }

    /// Paints a picture, of which `light` has this number of samples.
    fn paint_after(
        &self,
        done: u32,
        light: Option<&mut Accumulation>,
        view: &View,
        size: Size,
    ) -> Result<Painted, PictureError> {
        self.check()?;
        let camera = view.camera(size)?;
        // What threads take for tiles is not checked again.
        let kept = if light.is_some() {
            size.pixel_count() * size_of::<Vec3>()
        } else {
            0
        };
        let bytes = size.bytes_to_paint()
            + kept
            + rayon::current_num_threads() * Painter::bytes(self.target);
        if !has_room(bytes) {
            return Err(PictureMemoryError::new(size, bytes).into());
        }
        let picture = Mutex::new(Picture::plain(size, [0; 3])?);
        let scene = { CountedTarget::new(self.target).reference(self.reference) }.watch(self.watch);
        let (width, height) = (size.width() as u32, size.height() as u32);
        let tiles: Vec<Tile> = Tile::all(width, height, TILE).collect();
        let up = view.up.normalize_or(Vec3::Y);
        let shader = { self.shade.shader(&scene, &camera, up) }
            .ok_or(PictureMemoryError::new(size, bytes))?;
        let painter = Painter {
            scene: &scene,
            camera: &camera,
            size,
            shader: &*shader,
            looks: self.samples * shader.looks_per_sample(),
        };
        let first = done * shader.looks_per_sample();
        let is_kept = light.is_some();
        let mut unkept = Accumulation::default();
        let sums = light.unwrap_or(&mut unkept).of_tiles(tiles.len());
        let steps = self.watch.steps(tiles.len());
        (tiles.par_iter().zip(sums)).try_for_each(|(&tile, sums)| {
            let part = painter.paint(tile, first, sums)?;
            if !is_kept {
                *sums = Vec::new();
            }
            let mut picture = picture.lock().unwrap_or_else(PoisonError::into_inner);
            picture.put(&part, tile.x as usize, tile.y as usize);
            drop(picture);
            steps.add_one();
            Ok::<(), PictureError>(())
        })?;
        let mut picture = picture.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(legend) = shader.legend().filter(|_| self.has_legend) {
            legend.draw(&mut picture);
        }
        let rays = scene.rays();
        Ok(Painted { picture, rays })
    }

    fn check(&self) -> Result<(), PictureError> {
        let shade = self.shade;
        if !(1..=Paint::MAX_SAMPLES).contains(&self.samples) {
            return Err(PictureError::Samples {
                given: self.samples,
                max: Paint::MAX_SAMPLES,
            });
        }
        match self.target.lacks(shade) {
            None => Ok(()),
            Some(needed) => Err(PictureError::Shade { shade, needed }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ViewOptions, ViewProjection};
    use estoc::demo::DemoSpec;
    use estoc::{BruteForce, Bvh};

    #[test]
    fn pictures_are_refused_painted_alike_and_cancelled() {
        let mesh = "solids?n=60".parse::<DemoSpec>().unwrap().mesh();
        let world = SceneSnapshot::of_mesh(Bvh::build(&mesh)).unwrap();
        let target = Target::mesh(&world, &mesh);
        let size = Size::try_new(70, 50).unwrap();
        let view = ViewOptions::new().view(target, size).unwrap();
        let paint = Paint::new(target).samples(1);
        for samples in [0, Paint::MAX_SAMPLES + 1] {
            let refused = paint.samples(samples).paint(&view, size);
            let error = refused.unwrap_err().to_string();
            assert!(error.starts_with(&format!("{samples} samples")), "{error}");
        }
        let error = paint.shade(Shade::Instance).paint(&view, size).unwrap_err();
        assert!(error.to_string().contains("needs a scene"), "{error}");
        let bad = View {
            projection: ViewProjection::Perspective(f32::NAN),
            ..view
        };
        let error = paint.paint(&bad, size).unwrap_err();
        assert!(matches!(error, PictureError::Camera(_)), "{error}");

        // A scene of the mesh has the same picture, by any number of threads.
        let placed = Paint::new(Target::scene(&world)).samples(1);
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build();
        let expected = paint.paint(&view, size).unwrap();
        let one = one.unwrap();
        let found = one.install(|| placed.paint(&view, size)).unwrap();
        assert!(found.picture == expected.picture);
        // So does another engine over the same triangles.
        let brute = BruteForce::new(mesh.triangles().collect::<Vec<_>>());
        let elsewhere = Paint::new(target.with_engine(&brute)).samples(1);
        assert!(elsewhere.paint(&view, size).unwrap().picture == expected.picture);
        let error = placed.shade(Shade::Heat).paint(&view, size).unwrap_err();
        assert!(matches!(error, PictureError::Shade { .. }), "{error}");

        // Sample by sample, the same pictures, each with its own rays only.
        let mut light = Accumulation::default();
        for shade in [Shade::Ao, Shade::Facing] {
            let mut rays = 0;
            for samples in [1, 2, 7] {
                let paint = paint.shade(shade).samples(samples);
                let whole = paint.paint(&view, size).unwrap();
                let next = paint.accumulate(&view, size, &mut light).unwrap();
                assert!(next.picture == whole.picture, "{shade}, {samples} samples");
                assert!(samples == 1 || next.rays < whole.rays);
                rays = whole.rays;
            }
            // None, and all again for fewer samples, or another view.
            let paint = paint.shade(shade);
            let seven = paint.samples(7).accumulate(&view, size, &mut light);
            assert!(seven.unwrap().rays < rays / 7);
            let other = View {
                projection: ViewProjection::Perspective(20.0),
                ..view
            };
            for (view, samples) in [(view, 3), (other, 4)] {
                let paint = paint.samples(samples);
                let whole = paint.paint(&view, size).unwrap();
                let found = paint.accumulate(&view, size, &mut light).unwrap();
                assert!(found.picture == whole.picture && found.rays == whole.rays);
            }
        }
        let stop = CancelToken::new();
        stop.cancel();
        let stopped = paint.cancel(&stop).accumulate(&view, size, &mut light);
        assert!(matches!(stopped, Err(PictureError::Cancelled)));
        assert_eq!(light.samples(), 0);

        // Cancelled in the middle, by what is told the progress.
        let (cancel, told) = (CancelToken::new(), Mutex::new(Vec::new()));
        let progress = |now: Progress| {
            told.lock().unwrap().push(now.done);
            if now.done == 2 {
                cancel.cancel();
            }
        };
        let paint = paint.progress(&progress);
        let stopped = one.install(|| paint.cancel(&cancel).paint(&view, size));
        assert!(matches!(stopped, Err(PictureError::Cancelled)));
        assert_eq!(*told.lock().unwrap(), [0, 1, 2]);
        told.lock().unwrap().clear();
        paint.paint(&view, size).unwrap();
        assert_eq!(*told.lock().unwrap(), [0, 1, 2, 3, 4, 5, 6]);
    }
}
