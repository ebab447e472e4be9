//! Rounds in which several things are measured one after another.

/// Returns the number of the round and that of the thing to measure, of `count` things. The first
/// one changes with the round: none always follows the same one.
pub(crate) fn in_turns(rounds: usize, count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..rounds).flat_map(move |round| (0..count).map(move |turn| (round, (turn + round) % count)))
}
