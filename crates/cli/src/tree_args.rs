//! Options for building trees, shared by every verb that builds one.

use crate::common::Session;
use crate::failure::Failure;
#[cfg(feature = "view")]
use crate::value_name::name_of;
use estoc::{Bvh, Mesh, Quality, engine::Layout};
use std::time::{Duration, Instant};

/// Options for building a tree.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub(crate) struct TreeArgs {
    /// How much time to spend on building the tree; answers do not depend on it [default: balanced]
    #[arg(long, value_enum)]
    quality: Option<TreeQuality>,
    /// How the tree stores its triangles; answers do not depend on it [default: fast, or compact if
    /// --memory may be too small for fast]
    #[arg(long, value_enum)]
    layout: Option<Storage>,
}

/// How much time to spend on building a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum TreeQuality {
    /// The fastest build
    Fast,
    /// A good tree in a short time
    #[default]
    Balanced,
    /// The fastest queries and the slowest build
    Best,
}

/// How a tree stores its triangles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Storage {
    /// Corners in the leaves: about 49 bytes per triangle, and the fastest queries
    #[default]
    Fast,
    /// Indices into the mesh: about 13 bytes per triangle, and the mesh stays in memory
    Compact,
}

impl TreeQuality {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            TreeQuality::Fast => "fast",
            TreeQuality::Balanced => "balanced",
            TreeQuality::Best => "best",
        }
    }

    pub(crate) const fn quality(self) -> Quality {
        match self {
            TreeQuality::Fast => Quality::Fast,
            TreeQuality::Balanced => Quality::Balanced,
            TreeQuality::Best => Quality::Best,
        }
    }
}

impl From<Storage> for Layout {
    fn from(form: Storage) -> Layout {
        match form {
            Storage::Fast => Layout::Fast,
            Storage::Compact => Layout::Compact,
        }
    }
}

impl TreeArgs {
    pub(crate) fn quality(self) -> Quality {
        self.quality.unwrap_or_default().quality()
    }

    /// Returns whether the user gave any of the options.
    pub(crate) fn is_given(self) -> bool {
        self.quality.is_some() || self.layout.is_some()
    }

    /// Returns the options as a printed command has them, each after a space.
    #[cfg(feature = "view")]
    pub(crate) fn flags(self) -> String {
        let quality = self.quality.as_ref().map(name_of);
        let layout = self.layout.as_ref().map(name_of);
        let options = [("quality", quality), ("layout", layout)];
        let given = options
            .into_iter()
            .filter_map(|(option, value)| Some(format!(" --{option} {}", value?)));
        given.collect()
    }

    /// Builds the tree, and returns it with the time that it took.
    pub(crate) fn build(self, mesh: &Mesh, session: &Session) -> Result<(Bvh, Duration), Failure> {
        let bar = session.progress("building", Some(mesh.triangle_count() as u64));
        let progress = |now| bar.show(now);
        let start = Instant::now();
        let builder = session.tree_builder().progress(&progress);
        let builder = builder.quality(self.quality());
        let builder = match self.layout {
            Some(layout) => builder.layout(layout.into()),
            // The builder selects the fast layout if the memory budget allows.
            None => builder,
        };
        let bvh = builder.build(mesh)?;
        Ok((bvh, start.elapsed()))
    }
}
