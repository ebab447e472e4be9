//! Memory and cancellation of welding.

use crate::error::{Location, MeshError};

/// What a weld needs besides the mesh: whether to go on, and the name for errors.
pub(crate) struct Work<'a> {
    /// The name of the input, if it has one.
    pub(crate) name: Option<&'a str>,
    /// Returns an error if the weld was cancelled.
    pub(crate) proceed: &'a dyn Fn() -> Result<(), MeshError>,
}

impl Work<'_> {
    pub(super) fn at(&self) -> Location {
        self.name.map_or_else(Location::default, Location::of_file)
    }

    pub(super) fn proceed(&self) -> Result<(), MeshError> {
        (self.proceed)()
    }

    pub(super) fn no_memory(&self) -> MeshError {
        MeshError::NoMemory { at: self.at() }
    }

    /// Returns an empty array with memory for `count` items.
    pub(super) fn reserved<T>(&self, count: usize) -> Result<Vec<T>, MeshError> {
        MeshError::check_room(count.saturating_mul(size_of::<T>()), || self.at())?;
        let mut items = Vec::new();
        match items.try_reserve_exact(count) {
            Ok(()) => Ok(items),
            Err(_) => Err(self.no_memory()),
        }
    }

    /// Returns an array of `count` times the same item.
    pub(super) fn filled<T: Clone>(&self, count: usize, item: T) -> Result<Vec<T>, MeshError> {
        let mut items = self.reserved(count)?;
        items.resize(count, item);
        Ok(items)
    }
}
