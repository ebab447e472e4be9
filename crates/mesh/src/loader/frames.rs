//! Loads meshes in local frames.

use estoc_core::Progress;
use estoc_core::glam::DVec3;

use super::MeshLoader;
use super::input::LoaderInput;
use crate::error::{Location, MeshError};
use crate::frame::FileFrame;
use crate::local_frame::LocalFrame;
use crate::mesh::Mesh;

impl MeshLoader<'_> {
    /// Loads the mesh in a local frame: for coordinates far from 0, such as those of maps, which
    /// `f32` would round too much. At 5,200,000 `f32`s are half a unit apart, within 8192 of the
    /// origin of a local frame less than a thousandth.
    ///
    /// Each coordinate of a corner is the nearest `f32` to the exact difference of the number in the
    /// file and the origin, ties to even. That holds for decimals of any length, for `double`
    /// properties of PLY and for binary formats. In glTF, the transforms of nodes are multiplied in
    /// `f64`; the exact value of the transform of the position, minus the origin, is then rounded
    /// once, unless a product overflows or underflows in `f64`.
    ///
    /// [`Mesh::origin`] returns the origin. Everything else about the mesh is relative to it:
    /// positions, bounds, rays, points and answers. [`Mesh::to_world`], [`Mesh::from_world`] and
    /// [`HitDetails::world_point`](crate::HitDetails::world_point) convert. Answers are exact for
    /// these corners. Files that share borders fit together only with one [`LocalFrame::At`].
    ///
    /// With [`LocalFrame::Auto`], the file is read twice unless the origin turns out to be 0, and its
    /// coordinates must be within the range of `f32`.
    ///
    /// # Errors
    /// Loading fails with [`MeshError::OriginNotFinite`] if the origin is not finite.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_core::*, estoc_mesh::*}; pub mod io { pub use estoc_mesh::*; } }
    /// use estoc::{MeshLoader, io::LocalFrame};
    /// let text = b"v 502345.125 5201234.75 310\nv 502346.5 5201234.75 310\n\
    ///     v 502345.125 5201236.25 310.5\nf 1 2 3\n";
    /// let rounded = MeshLoader::new().read(text, "field.obj")?;
    /// assert_eq!(rounded.positions()[0].y, 5_201_235.0); // a quarter is lost
    /// let mesh = MeshLoader::new().local_frame(LocalFrame::Auto).read(text, "field.obj")?;
    /// assert_eq!(mesh.to_world(mesh.positions()[0]).y, 5_201_234.75);
    /// assert_eq!(mesh.report().rounding.largest_movement, 0.0);
    /// # Ok::<(), estoc::MeshError>(())
    /// ```
    pub fn local_frame(mut self, frame: LocalFrame) -> Self {
        self.local_frame = Some(frame);
        self
    }

    /// Sets whether to find out how many corners rounding made equal, and the bounds of the triangles
    /// before it (`RoundingLoss`). It takes time and, while loading, up to 65
    /// bytes per vertex. Off by default.
    pub fn survey_rounding(mut self, survey: bool) -> Self {
        self.surveys_rounding = survey;
        self
    }

    /// Returns the frame of the mesh; that of `Auto` must have been chosen before.
    pub(super) fn frame(&self, name: &str) -> Result<FileFrame, MeshError> {
        if self.keeps_f64 {
            return Ok(FileFrame::of_f64());
        }
        let origin = match self.local_frame {
            Some(LocalFrame::At(origin)) => origin,
            Some(LocalFrame::Auto) | None => DVec3::ZERO,
        };
        match origin.is_finite() {
            true => Ok(FileFrame::new(origin, self.surveys_rounding)),
            false => Err(MeshError::OriginNotFinite {
                at: Location::of_file(name),
                origin: Box::new(origin),
            }),
        }
    }

    /// Loads the mesh in the frame that `Auto` chooses; `load` is called once or twice.
    pub(super) fn in_chosen_frame(
        &self,
        name: &str,
        load: impl Fn(&MeshLoader<'_>) -> Result<Mesh, MeshError>,
    ) -> Result<Mesh, MeshError> {
        // The bar of the second reading continues that of the first.
        let half = |before: u64| {
            move |now: Progress| {
                if let Some(progress) = self.progress {
                    let total = now.total.map(|total| total.saturating_mul(2));
                    let before = now.total.map_or(0, |total| before * total);
                    progress(Progress::new(before + now.done, total));
                }
            }
        };
        let (first, second) = (half(0), half(1));
        let mesh = load(&MeshLoader {
            local_frame: None,
            surveys_rounding: true,
            weld: None,
            progress: Some(&first),
            ..self.clone()
        })?;
        let bounds = mesh.report().rounding.bounds_in_file;
        let origin = bounds.map_or(DVec3::ZERO, |bounds| {
            LocalFrame::origin_of(bounds.map(DVec3::from_array))
        });
        if origin == DVec3::ZERO {
            return self.welded(mesh, name);
        }
        drop(mesh);
        load(&MeshLoader {
            local_frame: Some(LocalFrame::At(origin)),
            progress: Some(&second),
            ..self.clone()
        })
    }

    /// Loads a stream, which can be read only once, in the frame that `Auto` chooses.
    pub(super) fn all_in_chosen_frame(&self, input: LoaderInput<'_>) -> Result<Mesh, MeshError> {
        let (name, folder) = (input.name, input.folder);
        let bytes = self.all_bytes(input)?;
        self.in_chosen_frame(name, |loader| {
            let input = LoaderInput {
                folder,
                ..LoaderInput::of_bytes(&bytes, name)
            };
            loader.welded(loader.run(input)?.narrow, name)
        })
    }
}
