//! Views of a mesh or a scene.

mod automatic;

use crate::error::PictureError;
use crate::picture::Size;
use crate::target::Target;
use crate::watch::WorkWatch;
use estoc::glam::Vec3;
use estoc::{
    Camera, CancelToken, Progress,
    camera::{CameraError, FieldOfView, Viewport},
};

/// The position of an eye, the point that it looks at, and how much it sees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// The position of the eye.
    pub eye: Vec3,
    /// The point that it looks at.
    pub at: Vec3,
    /// The direction that is up in the picture, of any length.
    pub up: Vec3,
    /// How much it sees.
    pub projection: ViewProjection,
}

/// How much a view sees: by rays from the eye, or by parallel rays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ViewProjection {
    /// Rays from the eye, with this vertical field of view in degrees.
    Perspective(f32),
    /// Parallel rays from the plane through the eye across the view direction, with this height of what is
    /// seen, in the units of the world.
    Orthographic(f32),
}

/// What a caller wants of a view; the rest is chosen to show the target well.
///
/// ```
/// use estoc::glam::Vec3;
/// use estoc::{Bvh, CancelToken, demo::DemoSpec, scene::SceneSnapshot};
/// use estoc_picture::{PictureError, Size, Target, ViewOptions};
/// let mesh = "hall?n=400".parse::<DemoSpec>()?.mesh();
/// let world = SceneSnapshot::of_mesh(Bvh::build(&mesh))?;
/// let (target, size) = (Target::mesh(&world, &mesh), Size::try_new(40, 30)?);
/// let cancel = CancelToken::new();
/// let options = ViewOptions::new().up(Some(Vec3::Y)).cancel(&cancel);
/// assert!(options.view(target, size)?.camera(size).is_ok());
/// cancel.cancel();
/// assert!(matches!(options.view(target, size), Err(PictureError::Cancelled)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Default)]
pub struct ViewOptions<'a> {
    eye: Option<Vec3>,
    at: Option<Vec3>,
    up: Option<Vec3>,
    fov: Option<f32>,
    ortho: Option<f32>,
    watch: WorkWatch<'a>,
}

impl<'a> ViewOptions<'a> {
    /// Returns options by which everything is chosen.
    pub fn new() -> Self {
        ViewOptions::default()
    }

    /// Sets the position of the eye; `None` for one that is chosen.
    pub fn eye(self, eye: Option<Vec3>) -> Self {
        ViewOptions { eye, ..self }
    }

    /// Sets the point that the eye looks at; `None` for the centre of the target with an eye, else for
    /// one that is chosen.
    pub fn at(self, at: Option<Vec3>) -> Self {
        ViewOptions { at, ..self }
    }

    /// Sets the up direction; `None` for y.
    pub fn up(self, up: Option<Vec3>) -> Self {
        ViewOptions { up, ..self }
    }

    /// Sets the vertical field of view in degrees; `None` for [`View::DEFAULT_FOV`], or 60 for a view
    /// from inside.
    pub fn fov(self, fov: Option<f32>) -> Self {
        ViewOptions { fov, ..self }
    }

    /// Sets the height of what is seen by parallel rays, in the units of the world, instead of a field of
    /// view; `None` for rays from the eye. The view that is chosen without an eye is then always from
    /// outside, from where nothing is behind the eye.
    pub fn ortho(self, height: Option<f32>) -> Self {
        ViewOptions {
            ortho: height,
            ..self
        }
    }

    /// Sets what cancels the choice of a view; it then ends within some thousand rays of each thread.
    pub fn cancel(mut self, cancel: &'a CancelToken) -> Self {
        self.watch.cancel = Some(cancel);
        self
    }

    /// Sets a function that is told the number of views from inside that were tried, and of all: 0 at
    /// first, and then by the threads that try them, in order, once for each. Other threads wait
    /// meanwhile. Other views are chosen without telling it.
    pub fn progress(mut self, progress: &'a (dyn Fn(Progress) + Sync)) -> Self {
        self.watch.progress = Some(progress);
        self
    }

    /// Returns the view for a picture of this size. An object is seen as a whole, from outside; a mesh
    /// that mostly cannot be seen from outside, such as a hall, from inside. Where up is parallel to the
    /// view, another up direction is used ([`View::with_usable_up`]). Numbers that are not finite lead
    /// to a view without a camera. Choosing a view from inside casts about 800,000 rays.
    ///
    /// # Errors
    /// [`PictureError::Cancelled`], only with [`ViewOptions::cancel`].
    pub fn view(&self, target: Target<'_>, size: Size) -> Result<View, PictureError> {
        Ok(self.view_as_given(target, size)?.with_usable_up(size))
    }

    /// Like [`ViewOptions::view`], with the up direction as it was given even if it cannot be used.
    ///
    /// # Errors
    /// [`PictureError::Cancelled`], only with [`ViewOptions::cancel`].
    pub fn view_as_given(&self, target: Target<'_>, size: Size) -> Result<View, PictureError> {
        let up = self.up.unwrap_or(Vec3::Y);
        let bounds = target.bounds();
        let middle = match bounds.is_empty() {
            true => Vec3::ZERO,
            false => 0.5 * bounds.min() + 0.5 * bounds.max(),
        };
        let (at, projection) = (self.at, self.projection());
        let Some(eye) = self.eye else {
            let (aspect, watch) = (size.aspect(), self.watch);
            return Ok(automatic::view(target, at, up, projection, aspect, watch)?);
        };
        Ok(View {
            eye,
            at: at.unwrap_or(middle),
            up,
            projection: projection.unwrap_or(ViewProjection::DEFAULT),
        })
    }

    /// Returns how much is to be seen, if it is given.
    fn projection(&self) -> Option<ViewProjection> {
        let perspective = self.fov.map(ViewProjection::Perspective);
        self.ortho.map(ViewProjection::Orthographic).or(perspective)
    }
}

impl ViewProjection {
    /// That of objects, unless another is given.
    const DEFAULT: ViewProjection = ViewProjection::Perspective(View::DEFAULT_FOV);
}

impl View {
    /// The field of view of objects in degrees: 40 is what a 50 mm lens sees of a picture's longer side.
    pub const DEFAULT_FOV: f32 = 40.0;

    /// Returns the camera of this view, for pictures of this size.
    ///
    /// # Errors
    /// Those of [`Camera::look_at`] and [`Camera::look_at_orthographic`]: a number that is not finite, an eye at the point that it looks at,
    /// an up direction parallel to the view, a field of view that is not between 0 and 180 degrees, or a
    /// height that is not above 0.
    pub fn camera(&self, size: Size) -> Result<Camera, CameraError> {
        self.camera_in(Viewport::new(size.width() as f32, size.height() as f32))
    }

    fn camera_in(&self, viewport: Viewport) -> Result<Camera, CameraError> {
        let (eye, at, up) = (self.eye, self.at, self.up);
        match self.projection {
            ViewProjection::Perspective(fov) => {
                let fov = FieldOfView::VerticalRadians(fov.to_radians());
                Camera::look_at(viewport, eye, at, up, fov)
            }
            ViewProjection::Orthographic(height) => {
                Camera::look_at_orthographic(viewport, eye, at, up, height)
            }
        }
    }

    /// Returns the view with another up direction if its own is parallel to the view. Seen from above,
    /// the direction away from the usual viewer is at the top; seen from below, at the bottom.
    pub fn with_usable_up(self, size: Size) -> View {
        let Err(CameraError::Up { ahead, .. }) = self.camera(size) else {
            return self;
        };
        let up = self.up.normalize_or(Vec3::Y);
        let back = -automatic::front(up);
        // Adding zero turns -0 into 0, so that no component prints as -0.
        let another = if ahead.dot(up) < 0.0 { back } else { -back };
        View {
            up: another + Vec3::ZERO,
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use estoc::Bvh;
    use estoc::demo::DemoSpec;
    use estoc::scene::SceneSnapshot;
    use std::sync::Mutex;

    #[test]
    fn the_choice_of_a_view_is_cancelled() {
        let mesh = "hall?n=400".parse::<DemoSpec>().unwrap().mesh();
        let world = SceneSnapshot::of_mesh(Bvh::build(&mesh)).unwrap();
        let target = Target::mesh(&world, &mesh);
        let size = Size::try_new(64, 40).unwrap();
        let (cancel, told) = (CancelToken::new(), Mutex::new(Vec::new()));
        let progress = |now: Progress| {
            told.lock().unwrap().push((now.done, now.total));
            if now.done == 3 {
                cancel.cancel();
            }
        };
        // In the middle of the views from inside.
        let options = ViewOptions::new().progress(&progress);
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build();
        let stopped = (one.unwrap()).install(|| options.cancel(&cancel).view(target, size));
        assert!(matches!(stopped, Err(PictureError::Cancelled)));
        let all = Some(7 * 7 * 4 * 16);
        assert_eq!(*told.lock().unwrap(), [0, 1, 2, 3].map(|done| (done, all)));

        // Before views from outside, of a mesh and of a scene.
        let outside = ViewOptions::new().at(Some(Vec3::ZERO)).cancel(&cancel);
        assert!(matches!(
            outside.view(target, size),
            Err(PictureError::Cancelled)
        ));
        let target = Target::scene(&world);
        let options = ViewOptions::new().cancel(&cancel);
        assert!(matches!(
            options.view(target, size),
            Err(PictureError::Cancelled)
        ));
        // With an eye, nothing is chosen.
        assert!(options.eye(Some(Vec3::ONE)).view(target, size).is_ok());
    }

    #[test]
    fn orthographic_views_are_chosen_with_all_in_front_of_the_eye_and_in_the_middle() {
        let size = Size::try_new(80, 50).unwrap();
        // A hall is seen from inside in a perspective, and from outside by parallel rays.
        for name in ["hall?n=400", "teapot?n=900", "terrain?n=500"] {
            let mesh = name.parse::<DemoSpec>().unwrap().mesh();
            let world = SceneSnapshot::of_mesh(Bvh::build(&mesh)).unwrap();
            let target = Target::mesh(&world, &mesh);
            let height = 2.0 * (target.bounds().max() - target.bounds().min()).length();
            let options = ViewOptions::new().fov(Some(30.0)).ortho(Some(height));
            let view = options.view(target, size).unwrap();
            assert_eq!(view.projection, ViewProjection::Orthographic(height));
            let ahead = (view.at - view.eye).normalize();
            let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
            let watch = WorkWatch::default();
            let up = ahead.cross(view.up).normalize().cross(ahead);
            target
                .each_corner(watch, &mut |corner| {
                    assert!((corner - view.eye).dot(ahead) > 0.0, "{name}: {corner}");
                    let above = (corner - view.at).dot(up);
                    (low, high) = (low.min(above), high.max(above));
                })
                .unwrap();
            assert!((low + high).abs() < 1e-4 * height, "{name}: {low} {high}");
        }
    }
}
