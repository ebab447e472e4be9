//! Values of options on the command line.

/// How rays are passed to the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Calls {
    /// One call for each ray
    Single,
    /// One call for all rays
    Batch,
}

/// Returns the values in order of their first appearance, without duplicates.
pub(super) fn once<T: Clone + PartialEq>(asked: &[T]) -> Vec<T> {
    let mut once = Vec::new();
    for one in asked {
        if !once.contains(one) {
            once.push(one.clone());
        }
    }
    once
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_there_twice() {
        assert_eq!(once(&[2, 1, 2, 2, 3, 1]), [2, 1, 3]);
        assert!(once::<u8>(&[]).is_empty());
    }
}
