//! Compares a picture with a reference.

use crate::number::counted;
use estoc_picture::{Difference, DifferenceError, Picture};
use serde_json::{Value, json};
use std::path::Path;

/// The comparison of a picture with its reference.
pub(super) struct Compared<'a> {
    file: &'a Path,
    difference: Difference,
    threshold: f64,
    pub(super) ok: bool,
}

impl<'a> Compared<'a> {
    /// Compares two pictures of one size.
    ///
    /// # Errors
    /// [`DifferenceError::Sizes`].
    pub(super) fn of(
        file: &'a Path,
        picture: &Picture,
        reference: &Picture,
        threshold: f64,
    ) -> Result<Self, DifferenceError> {
        let difference = Difference::of(picture, reference)?;
        Ok(Compared {
            file,
            difference,
            threshold,
            ok: difference.rms <= threshold,
        })
    }

    /// Returns the message of a failed check.
    pub(super) fn message(&self) -> String {
        let Difference {
            rms,
            max,
            max_at: [x, y],
            pixels,
        } = self.difference;
        format!(
            "the picture differs from {} in {}: the root mean square difference is {rms:.3}, \
             above --threshold {}; the greatest is {max}, at pixel {x},{y}",
            self.file.display(),
            counted(pixels, "pixel"),
            self.threshold,
        )
    }

    pub(super) fn object(&self) -> Value {
        json!({
            "file": self.file.display().to_string(),
            "rms": self.difference.rms,
            "most": self.difference.max,
            "pixels": self.difference.pixels,
            "ok": self.ok,
        })
    }
}
