//! Progress of long work.

/// The progress of long work. Builders, loaders, writers and batches pass it to the function that
/// was given to their `progress`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Progress {
    /// The amount done, in the unit that the documentation of `progress` names.
    pub done: u64,
    /// The total amount; `None` where it is not known.
    pub total: Option<u64>,
}

impl Progress {
    /// Returns a progress of `done` out of `total`.
    pub fn new(done: u64, total: impl Into<Option<u64>>) -> Self {
        let total = total.into();
        Progress { done, total }
    }

    /// Returns the part that is done, from 0 to 1; `None` where the total is not known. A total of
    /// 0 is always done.
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
