//! Rounds in which several things are measured one after another.

/// How long and how often to measure.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    pub(crate) rounds: usize,
    /// The approximate time that the slowest engine may take for the rays.
    pub(crate) seconds: f64,
}

/// Returns the number of the round and that of the thing to measure, of `count` things. The first
/// one changes with the round: none always follows the same one.
pub(crate) fn in_turns(rounds: usize, count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..rounds).flat_map(move |round| (0..count).map(move |turn| (round, (turn + round) % count)))
}
