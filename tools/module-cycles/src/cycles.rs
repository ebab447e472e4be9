//! Finds cycles in a directed graph.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Returns a shortest cycle of every strongly connected component that has one: its nodes in order,
/// the alphabetically smallest first.
pub(crate) fn shortest_of_each_knot<'a>(edges: &[(&'a str, &'a str)]) -> Vec<Vec<&'a str>> {
    let mut next: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (from, to) in edges {
        next.entry(from).or_default().insert(to);
    }
    let mut shortest = Vec::new();
    let mut done = BTreeSet::new();
    for start in next.keys() {
        if done.contains(start) {
            continue;
        }
        let ahead = reachable(&next, start);
        let knot: Vec<&str> = ahead
            .into_iter()
            .filter(|node| reachable(&next, node).contains(start))
            .collect();
        // All cycles through nodes of a component lie in it.
        let cycles = knot.iter().filter_map(|node| cycle_through(&next, node));
        shortest.extend(cycles.min_by_key(Vec::len));
        done.extend(knot);
    }
    shortest
}

/// Returns the nodes that are reachable from a node along one or more edges.
fn reachable<'a>(next: &BTreeMap<&'a str, BTreeSet<&'a str>>, from: &'a str) -> BTreeSet<&'a str> {
    let (mut found, mut waiting) = (BTreeSet::new(), vec![from]);
    while let Some(node) = waiting.pop() {
        for node in next.get(node).into_iter().flatten() {
            if found.insert(*node) {
                waiting.push(node);
            }
        }
    }
    found
}

/// Returns a shortest cycle that starts at this node.
fn cycle_through<'a>(
    next: &BTreeMap<&'a str, BTreeSet<&'a str>>,
    start: &'a str,
) -> Option<Vec<&'a str>> {
    let mut reached_from: BTreeMap<&str, &str> = BTreeMap::new();
    let mut waiting = VecDeque::from([start]);
    while let Some(node) = waiting.pop_front() {
        for to in next.get(node).into_iter().flatten() {
            if *to == start {
                let mut cycle = vec![node];
                while let Some(before) = reached_from.get(cycle[cycle.len() - 1]) {
                    cycle.push(before);
                }
                cycle.reverse();
                return Some(cycle);
            }
            if !reached_from.contains_key(to) {
                reached_from.insert(to, node);
                waiting.push_back(to);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn graphs_without_cycles_have_none() {
        assert!(shortest_of_each_knot(&[]).is_empty());
        assert!(
            shortest_of_each_knot(&[("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")]).is_empty()
        );
    }

    #[test]
    fn every_knot_gives_its_shortest_cycle() {
        let long = [("b", "c"), ("c", "d"), ("d", "b"), ("d", "c"), ("a", "b")];
        assert_eq!(shortest_of_each_knot(&long), [["c", "d"]]);
        let two = [
            ("a", "b"),
            ("b", "a"),
            ("b", "x"),
            ("x", "y"),
            ("y", "z"),
            ("z", "x"),
        ];
        assert_eq!(
            shortest_of_each_knot(&two),
            [vec!["a", "b"], vec!["x", "y", "z"]]
        );
    }
}
