//! Options for building trees, shared by every verb that builds one.

use crate::failure::Failure;
use crate::session::Session;
use crate::value_name::{NamedValue, one_of};
use estoc::{Bvh, Mesh, Quality, engine::Layout};
use estoc_core::Coordinate;
use std::time::{Duration, Instant};

/// Options for building a tree.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub(crate) struct TreeArgs {
    /// How much time to spend on building the tree; answers do not depend on it [default: balanced]
    #[arg(long, value_parser = one_of(QUALITIES))]
    quality: Option<Quality>,
    /// How the tree stores its triangles; answers do not depend on it [default: fast, or compact if
    /// --memory may be too small for fast]
    #[arg(long, value_parser = one_of(LAYOUTS))]
    layout: Option<Layout>,
}

/// How much time to spend on building a tree.
pub(crate) const QUALITIES: [NamedValue<Quality>; 3] = [
    ("fast", "The fastest build", Quality::Fast),
    ("balanced", "A good tree in a short time", Quality::Balanced),
    (
        "best",
        "The fastest queries and the slowest build",
        Quality::Best,
    ),
];

/// How a tree stores its triangles.
pub(crate) const LAYOUTS: [NamedValue<Layout>; 2] = [
    (
        "fast",
        "Corners in the leaves: about 49 bytes per triangle, and the fastest queries",
        Layout::Fast,
    ),
    (
        "compact",
        "Indices into the mesh: about 13 bytes per triangle, and the mesh stays in memory",
        Layout::Compact,
    ),
];

impl TreeArgs {
    pub(crate) fn quality(self) -> Quality {
        self.quality.unwrap_or_default()
    }

    /// Returns whether the user gave any of the options.
    pub(crate) fn is_given(self) -> bool {
        self.quality.is_some() || self.layout.is_some()
    }

    /// Returns the options as a printed command has them, each after a space.
    #[cfg(feature = "view")]
    pub(crate) fn flags(self) -> String {
        let quality = self.quality.map(|value| format!(" --quality {value}"));
        let layout = self.layout.map(|value| format!(" --layout {value}"));
        quality.into_iter().chain(layout).collect()
    }

    /// Builds the tree, and returns it with the time that it took.
    pub(crate) fn build<C: Coordinate>(
        self,
        mesh: &Mesh<C>,
        session: &Session,
    ) -> Result<(Bvh<C>, Duration), Failure> {
        let bar = session.progress("building", Some(mesh.triangle_count() as u64));
        let progress = |now| bar.show(now);
        let start = Instant::now();
        let builder = session.tree_builder().progress(&progress);
        let builder = builder.quality(self.quality());
        let builder = match self.layout {
            Some(layout) => builder.layout(layout),
            // The builder selects the fast layout if the memory budget allows.
            None => builder,
        };
        let bvh = builder.build(mesh)?;
        Ok((bvh, start.elapsed()))
    }
}
