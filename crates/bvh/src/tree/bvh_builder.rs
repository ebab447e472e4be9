//! The settings of a build, and the build.

use super::Bvh;
use crate::builder::{Budget, How, Quality, Unfinished, Watch, build_over_mesh};
use crate::simd_level::{SimdLevel, SimdLevelError};
use crate::wide::Layout;
use estoc_core::{CancelToken, Progress};
use estoc_mesh::Mesh;
use fearless_simd::Level;
use std::fmt;

/// Settings of a build; see [`Bvh::builder`].
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

/// Why no tree was built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The [`CancelToken`] was raised.
    #[error("building the tree was cancelled")]
    Cancelled,
    /// The system does not have the memory that the tree takes.
    #[error("no memory for a tree over {triangles} triangles; free some, or build over fewer")]
    NoMemory {
        /// How many triangles the mesh has.
        triangles: usize,
    },
    /// The triangles cannot be told apart while the tree is built, which takes a few billion.
    #[error("{triangles} triangles are too many for one tree; build several over parts of them")]
    TooManyTriangles {
        /// How many triangles the mesh has.
        triangles: usize,
    },
    /// The build may not take the memory that it needs; see [`BvhBuilder::memory_budget`].
    #[error(
        "a tree over {triangles} triangles needs up to {needed} bytes while it is built, and \
         may take {given}; allow more, or build over fewer triangles"
    )]
    OverBudget {
        /// How many triangles the mesh has.
        triangles: usize,
        /// Bytes that the build needs at a time, tree included: at most, if it was refused before
        /// it began, and else at least.
        needed: usize,
        /// Bytes that it may take.
        given: usize,
    },
    /// The threads asked for could not be had.
    #[error("cannot start {threads} threads to build the tree: {reason}; ask for fewer")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system said.
        reason: String,
    },
    /// The machine does not have the [`SimdLevel`] asked for.
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

    /// Uses `threads` threads of its own, started for each build; 0, the default, means the rayon
    /// pool that the caller is in. The tree is the same for any number.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        BvhBuilder { threads, ..self }
    }

    /// Sets how the tree keeps its triangles; [`Layout::Fast`] by default, unless the
    /// [`memory_budget`](Self::memory_budget) is too small for that.
    ///
    /// ```
    /// # mod estoc { pub use estoc_bvh::*; pub mod demo { pub use estoc_demo::*; } }
    /// use estoc::{Bvh, Layout, demo::DemoSpec};
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

    /// Sets how many bytes the build may hold at a time: the tree and all that is needed to
    /// make it, without the mesh. Any number by default.
    ///
    /// Where the budget may be too small for [`Layout::Fast`] and is large enough for
    /// [`Layout::Compact`], the tree has that layout, unless the other is
    /// [asked for](Self::layout). A build that may need more even so is refused before it
    /// allocates. It counts on up to 108 bytes a triangle and 1 MiB for `Fast`, though most take
    /// less than 80 and the finished tree has about 49; and for `Compact` on up to 72, of which
    /// the finished tree has about 13. Strange meshes, of whose triangles hardly two lie side by
    /// side, can need more than that, which shows on the way, and is refused then.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_bvh::*, estoc_mesh::*}; }
    /// use estoc::{BuildError, Bvh, Layout, Mesh};
    /// let corners = [[0.0f32; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    /// let mesh = Mesh::new(corners, std::iter::repeat_n([0, 1, 2], 100_000))?;
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

    /// Sets which vector instructions queries use, instead of what the environment variable
    /// `ESTOC_SIMD` names or the best that the machine has. Answers are the same for any.
    ///
    /// ```
    /// # mod estoc { pub use {estoc_bvh::*, estoc_mesh::*}; pub mod engine { pub use estoc_bvh::*; } }
    /// use estoc::{Bvh, Mesh, engine::SimdLevel};
    /// let mesh = Mesh::new([[0.0f32; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], [[0, 1, 2]])?;
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

    /// Stops the build soon after the token is raised: every thread looks at it before each
    /// piece of work of about a quarter of a millisecond.
    #[must_use]
    pub fn cancel(self, token: &'a CancelToken) -> Self {
        BvhBuilder {
            cancel: Some(token),
            ..self
        }
    }

    /// Calls a function with how many triangles are done, of all: never less than before, and all
    /// of them at the end. Calls come from any thread, one at a time. The number stands still for
    /// about half the time of [`Quality::Best`], while subtrees are moved.
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
    /// [`BuildError::Cancelled`] when the token was raised, [`BuildError::Threads`] when
    /// threads were asked for and the system has none, and [`BuildError::SimdLevel`] when a
    /// level was asked for that the machine does not have; [`BuildError::OverBudget`] when the
    /// [budget](Self::memory_budget) does not bear the build. Without these settings
    /// [`BuildError::NoMemory`] when the system has none left for the large arrays, and
    /// [`BuildError::TooManyTriangles`].
    pub fn build(&self, mesh: &Mesh) -> Result<Bvh, BuildError> {
        if let Some(level) = self.simd {
            level.check()?;
        }
        if self.threads == 0 {
            return self.build_here(mesh);
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads)
            .build()
            .map_err(|error| BuildError::Threads {
                threads: self.threads,
                reason: error.to_string(),
            })?;
        pool.install(|| self.build_here(mesh))
    }

    /// The instructions to build with; the tree is the same for any.
    fn level(&self) -> Level {
        let level = self.simd.or_else(|| SimdLevel::from_env().ok());
        let token = level.unwrap_or(SimdLevel::best()).token();
        token.unwrap_or(Level::baseline())
    }

    pub(crate) fn build_here(&self, mesh: &Mesh) -> Result<Bvh, BuildError> {
        let triangles = mesh.triangle_count();
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
        let watch = Watch::new(self.cancel, self.progress, mesh.triangle_count());
        let how = How {
            quality: self.quality,
            level: self.level(),
            watch: &watch,
            memory: self.memory,
            layout: self.layout,
        };
        let tree = build_over_mesh(mesh, how).map_err(failed)?;
        watch.finish(triangles);
        let bvh = Bvh::new(tree).with_history(Some(self.quality), None);
        Ok(match self.simd {
            Some(level) => bvh.with_simd_level(level),
            None => bvh,
        })
    }
}
