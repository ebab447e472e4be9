//! Finds cycles in a directed graph.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Maps the start and the end of each edge to where it is.
pub(crate) type Graph<'a> = BTreeMap<&'a str, BTreeMap<&'a str, String>>;

/// Returns a shortest cycle of every strongly connected component that has one: its nodes in order,
/// the alphabetically smallest first.
pub(crate) fn shortest_of_each_knot<'a>(graph: &Graph<'a>) -> Vec<Vec<&'a str>> {
    let leads = |from: &'a str, to: &'a str| shortest_path(graph, from, to).is_some();
    let mut shortest = Vec::new();
    for start in graph.keys().copied() {
        let nodes = graph.keys().copied();
        let mut knot = nodes
            .filter(|node| leads(start, node) && leads(node, start))
            .peekable();
        if knot.peek() == Some(&start) {
            let cycles = knot.filter_map(|node| shortest_path(graph, node, node));
            shortest.extend(cycles.min_by_key(Vec::len));
        }
    }
    shortest
}

/// Returns the nodes of a shortest path of one or more edges, without the last.
fn shortest_path<'a>(graph: &Graph<'a>, from: &'a str, to: &str) -> Option<Vec<&'a str>> {
    let (mut seen, mut waiting) = (BTreeSet::new(), VecDeque::from([vec![from]]));
    while let Some(path) = waiting.pop_front() {
        for next in graph.get(path.last()?).into_iter().flat_map(BTreeMap::keys) {
            if *next == to {
                return Some(path);
            }
            if seen.insert(next) {
                waiting.push_back([&path[..], &[next]].concat());
            }
        }
    }
    None
}
