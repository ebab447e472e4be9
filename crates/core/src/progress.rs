//! How far long work has come.

/// How far long work has come: what builders, loaders, writers and batches pass to the function
/// that was given to their `progress`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Progress {
    /// How much is done, in the unit that the documentation of `progress` names.
    pub done: u64,
    /// How much there is in all; `None` where that is not known.
    pub total: Option<u64>,
}

impl Progress {
    /// Returns the progress of work of which `done` is done.
    pub fn new(done: u64, total: impl Into<Option<u64>>) -> Self {
        let total = total.into();
        Progress { done, total }
    }

    /// Returns the part that is done, from 0 to 1; `None` where the total is not known. Work
    /// without anything to do is done.
    pub fn fraction(&self) -> Option<f64> {
        let total = self.total?;
        Some(match total {
            0 => 1.0,
            _ => (self.done as f64 / total as f64).min(1.0),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_lie_between_0_and_1() {
        assert_eq!(Progress::new(1, 4).fraction(), Some(0.25));
        assert_eq!(Progress::new(5, 4).fraction(), Some(1.0));
        assert_eq!(Progress::new(0, 0).fraction(), Some(1.0));
        assert_eq!(Progress::new(3, None).fraction(), None);
    }
}
