//! From a mesh to a tree.

use crate::{Bvh, Mesh};
use estoc_core::CancelToken;

/// How much work goes into the tree. Answers do not depend on it, only their speed does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Quality {
    /// Fewer bins, larger leaves: built soonest.
    Fast,
    /// The usual choice.
    #[default]
    Balanced,
    /// More bins: queries are fastest.
    Best,
}

/// Settings of a build; see [`Bvh::builder`].
#[derive(Clone, Debug, Default)]
pub struct BvhBuilder {
    quality: Quality,
    cancel: Option<CancelToken>,
}

/// Why no tree was built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The [`CancelToken`] was raised.
    #[error("building the tree was cancelled")]
    Cancelled,
}

impl BvhBuilder {
    /// Sets the quality.
    #[must_use]
    pub fn quality(mut self, quality: Quality) -> Self {
        self.quality = quality;
        self
    }

    /// Stops the build soon after the token is raised.
    #[must_use]
    pub fn cancel(mut self, token: CancelToken) -> Self {
        self.cancel = Some(token);
        self
    }

    /// Builds the tree.
    ///
    /// # Errors
    /// [`BuildError::Cancelled`] when the token was raised; never without a token.
    pub fn build(&self, mesh: &Mesh) -> Result<Bvh, BuildError> {
        Ok(Bvh::stub(mesh))
    }
}
