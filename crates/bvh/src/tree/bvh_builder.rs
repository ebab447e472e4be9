//! The builder of a tree: its settings and errors.

use super::{Bvh, plural};
use crate::builder::{Budget, BuildWatch, How, Quality, Unfinished, build_over_mesh};
use crate::simd_level::{SimdLevel, SimdLevelError};
use crate::wide::{Layout, WideTree, bytes_beside, wide_triangles};
use estoc_core::{CancelToken, Coordinate, Progress};
use estoc_mesh::Mesh;
use estoc_mesh::parts::{Buffers, buffers};
use estoc_system::NoMemory;
use fearless_simd::Level;
use std::fmt;

/// Settings of a build; created by [`Bvh::builder`].
#[derive(Clone, Copy, Default)]
pub struct BvhBuilder<'a> {
    quality: Quality,
    threads: usize,
    memory: Budget,
    layout: Option<Layout>,
    simd: Option<SimdLevel>,
    cancel: Option<&'a CancelToken>,
    progress: Option<&'a (dyn Fn(Progress) + Sync)>,
}

/// The reason why a build failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The [`CancelToken`] was raised.
    #[error("building the tree was cancelled")]
    Cancelled,
    /// The system does not have enough memory for the tree.
    #[error(
        "not enough memory for a tree over {triangles} triangle{}; free some, or build over fewer",
        plural(*.triangles)
    )]
    NoMemory {
        /// The number of triangles of the mesh.
        triangles: usize,
    },
    /// The mesh has more triangles than the builder can number, which takes a few billion.
    #[error(
        "{triangles} triangles are too many for one tree; build several trees over parts of the \
         mesh"
    )]
    TooManyTriangles {
        /// The number of triangles of the mesh.
        triangles: usize,
    },
    /// The build needs more memory than its budget; see [`BvhBuilder::memory_budget`].
    #[error(
        "building a tree over {triangles} triangle{} may take {needed} bytes, but the budget is \
         {given}; raise it, or build over fewer triangles",
        plural(*.triangles)
    )]
    OverBudget {
        /// The number of triangles of the mesh.
        triangles: usize,
        /// The largest number of bytes that the build holds at a time, tree included: an upper
        /// bound if the build was refused before it began, a lower bound otherwise.
        needed: usize,
        /// The budget in bytes.
        given: usize,
    },
    /// The requested threads could not be started, or are more than 1,024.
    #[error(
        "cannot start {threads} thread{} to build the tree: {reason}; request fewer",
        plural(*.threads)
    )]
    Threads {
        /// The number of threads requested.
        threads: usize,
        /// The reason, such as the error message of the system.
        reason: String,
    },
    /// The machine does not have the requested [`SimdLevel`].
    #[error(transparent)]
    SimdLevel(#[from] SimdLevelError),
}

impl fmt::Debug for BvhBuilder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BvhBuilder")
            .field("quality", &self.quality)
            .field("threads", &self.threads)
            .field("memory", &self.memory)
            .field("layout", &self.layout)
            .field("simd_level", &self.simd)
            .field("can_cancel", &self.cancel.is_some())
            .field("has_progress", &self.progress.is_some())
            .finish()
    }
}

impl<'a> BvhBuilder<'a> {
    /// Sets how much work goes into the tree.
    #[must_use]
    pub fn quality(self, quality: Quality) -> Self {
        BvhBuilder { quality, ..self }
    }

    /// Uses a private pool of `threads` threads, started for each build. With 0, the default, the
    /// build uses the rayon pool of the caller. Without the feature `rayon` it uses the calling
    /// thread, whatever the number. More than 1,024 are [`BuildError::Threads`]. The tree does not
    /// depend on the number of threads.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        BvhBuilder { threads, ..self }
    }

    /// Sets how the tree stores its triangles. The default is [`Layout::Fast`], unless the
    /// [`memory_budget`](Self::memory_budget) is too small for it.
    ///
    /// ```
    /// # mod estoc { pub use estoc_bvh::*; pub mod demo { pub use estoc_demo::*; } pub mod engine { pub use estoc_bvh::*; } }
    /// use estoc::{Bvh, demo::DemoSpec, engine::Layout};
    /// let mesh = "sphere?n=5000".parse::<DemoSpec>()?.mesh();
    /// let bvh = Bvh::builder().layout(Layout::Compact).build(&mesh)?;
    /// let stats = bvh.stats();
    /// assert!(stats.layout == Layout::Compact && stats.bytes_per_triangle() < 28.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn layout(self, layout: Layout) -> Self {
        BvhBuilder {
            layout: Some(layout),
            ..self
        }
    }

    /// Limits the bytes that the build may hold at a time: the tree and all temporary memory,
    /// without the mesh. There is no limit by default.
    ///
    /// If the budget may be too small for [`Layout::Fast`] but suffices for [`Layout::Compact`],
    /// the tree has the latter, unless a [layout](Self::layout) is set. If even that may need more,
    /// the build fails before it allocates. The estimate for `Fast` is 108 bytes a triangle plus 1
    /// MiB, though most builds take less than 80 bytes a triangle and the finished tree has about
    /// 49; the estimate for `Compact` is 72, and the finished tree has about 13. Unusual meshes in
    /// which hardly any two triangles are adjacent can need more than the estimate; the build then
    /// fails as soon as it exceeds the budget. A mesh in `f64` takes 12 bytes a triangle more.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_bvh::*, estoc_mesh::*}; pub mod engine { pub use estoc_bvh::*; } }
    /// use estoc::{BuildError, Bvh, Mesh, engine::Layout};
    /// let corners = [[0.0f32; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    /// let mesh = Mesh::try_new(corners, std::iter::repeat_n([0, 1, 2], 100_000))?;
    /// let build = |bytes| Bvh::builder().memory_budget(bytes).build(&mesh);
    /// let error = build(4 << 20).unwrap_err();
    /// assert!(matches!(error, BuildError::OverBudget { given: 4_194_304, .. }));
    /// assert_eq!(build(10 << 20)?.stats().layout, Layout::Compact);
    /// assert_eq!(build(16 << 20)?.stats().layout, Layout::Fast);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn memory_budget(self, bytes: usize) -> Self {
        BvhBuilder {
            memory: Budget::of(bytes),
            ..self
        }
    }

    /// Sets the vector instructions that queries use, instead of those that the environment
    /// variable `ESTOC_SIMD` names or the best ones of the machine. Answers do not depend on them.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_bvh::*, estoc_mesh::*}; pub mod engine { pub use estoc_bvh::*; } }
    /// use estoc::{Bvh, Mesh, engine::SimdLevel};
    /// let mesh = Mesh::try_new([[0.0f32; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0, 1, 2]])?;
    /// let bvh = Bvh::builder().simd_level(SimdLevel::Baseline).build(&mesh)?;
    /// assert_eq!(bvh.simd_level(), SimdLevel::Baseline);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn simd_level(self, level: SimdLevel) -> Self {
        BvhBuilder {
            simd: Some(level),
            ..self
        }
    }

    /// Stops the build soon after the token is raised: every thread checks it before each piece of
    /// work of about a quarter of a millisecond.
    #[must_use]
    pub fn cancel(self, token: &'a CancelToken) -> Self {
        BvhBuilder {
            cancel: Some(token),
            ..self
        }
    }

    /// Calls a function with the number of finished triangles and their total. The number never
    /// decreases and ends at the total. Calls come from any thread, one at a time. With
    /// [`Quality::Best`], the number does not change for about half of the time, while subtrees are
    /// reinserted.
    #[must_use]
    pub fn progress(self, progress: &'a (dyn Fn(Progress) + Sync)) -> Self {
        BvhBuilder {
            progress: Some(progress),
            ..self
        }
    }

    /// Builds the tree.
    ///
    /// # Errors
    /// - [`BuildError::Cancelled`] if the token was raised;
    /// - [`BuildError::Threads`] if the requested threads cannot be started;
    /// - [`BuildError::SimdLevel`] if the machine does not have the requested level;
    /// - [`BuildError::OverBudget`] if the build exceeds the [budget](Self::memory_budget);
    /// - [`BuildError::NoMemory`] if the system has no memory for the large arrays;
    /// - [`BuildError::TooManyTriangles`] if the mesh has more triangles than a tree can number.
    ///
    /// Only the last two can occur without settings.
    pub fn build<C: Coordinate>(&self, mesh: &Mesh<C>) -> Result<Bvh<C>, BuildError> {
        if let Some(level) = self.simd {
            level.check()?;
        }
        if self.threads == 0 {
            return self.build_here(mesh);
        }
        let threads = self.threads;
        let in_pool = |()| estoc_system::parallel::in_new_pool(threads, || self.build_here(mesh));
        let built = estoc_system::check_threads(threads).and_then(in_pool);
        built.map_err(|reason| BuildError::Threads { threads, reason })?
    }

    /// Returns the instructions to build with. The tree does not depend on them.
    pub(super) fn level(&self) -> Level {
        let level = self.simd.or_else(|| SimdLevel::from_env().ok());
        let token = level.unwrap_or(SimdLevel::best()).token();
        token.unwrap_or(Level::baseline())
    }

    pub(crate) fn build_here<C: Coordinate>(&self, mesh: &Mesh<C>) -> Result<Bvh<C>, BuildError> {
        let tree = self.tree_over(buffers(mesh), bytes_beside(mesh))?;
        let wide = wide_triangles(mesh, &tree).map_err(|NoMemory| BuildError::NoMemory {
            triangles: mesh.triangle_count(),
        })?;
        let bvh = Bvh::of(tree, wide);
        let bvh = bvh.with_history(Some(self.quality), None);
        Ok(match self.simd {
            Some(level) => bvh.with_simd_level(level),
            None => bvh,
        })
    }

    /// Returns the tree, beside which this number of bytes will be held.
    fn tree_over(&self, mesh: &Buffers, beside: usize) -> Result<WideTree, BuildError> {
        let triangles = mesh.indices().len();
        let failed = |reason| match reason {
            Unfinished::Cancelled => BuildError::Cancelled,
            Unfinished::NoMemory => BuildError::NoMemory { triangles },
            Unfinished::TooMany => BuildError::TooManyTriangles { triangles },
            Unfinished::OverBudget { needed } => BuildError::OverBudget {
                triangles,
                needed,
                given: self.memory.given.unwrap_or(usize::MAX),
            },
        };
        let watch = BuildWatch::new(self.cancel, self.progress, triangles);
        let how = How {
            quality: self.quality,
            level: self.level(),
            watch: &watch,
            memory: self.memory.besides(beside),
            layout: self.layout,
        };
        let tree = build_over_mesh(mesh, how).map_err(failed)?;
        watch.finish(triangles);
        Ok(tree)
    }
}
