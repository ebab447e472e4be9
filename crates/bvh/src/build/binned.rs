//! The split of one group: surface area heuristic over bins (Wald 2007, "On fast
//! Construction of SAH-based Bounding Volume Hierarchies").

use super::bounds::Bounds;
use super::quality::{MAX_BINS, Settings};
use super::recursion::Reference;

/// Cost of a step down the tree, in units of a triangle test. As f64 certificates go, a
/// triangle costs about as much as testing two boxes.
const STEP_COST: f64 = 1.0;

/// Groups of twice this size and more are measured in parallel.
const CHUNK: usize = 1 << 14;

/// What becomes of a group.
pub(super) struct Plan {
    pub(super) bounds: Bounds,
    /// `None`: a leaf.
    pub(super) split: Option<Split>,
}

/// How a group is parted in two, neither empty.
pub(super) enum Split {
    /// By the bin of the centre.
    Bins { grid: Axis, boundary: usize },
    /// In the middle, by the order of centres along an axis.
    Halve { axis: usize },
    /// In the middle of the list, since all centres coincide.
    Anyhow,
}

/// Bins along one axis.
#[derive(Clone, Copy)]
pub(super) struct Axis {
    axis: usize,
    start: f64,
    scale: f64,
    bins: usize,
}

impl Axis {
    /// `None` when all centres have the same coordinate.
    fn new(axis: usize, centres: &Extent, bins: usize) -> Option<Self> {
        let (start, end) = (centres.min[axis], centres.max[axis]);
        (start < end).then(|| Axis {
            axis,
            start,
            scale: bins as f64 / (end - start),
            bins,
        })
    }

    /// The first centre falls into the first bin and the last one into the last.
    fn bin(&self, reference: &Reference) -> usize {
        let place = (reference.centre(self.axis) - self.start) * self.scale;
        (place as usize).min(self.bins - 1)
    }
}

/// Where a group's triangles and centres lie.
#[derive(Clone, Copy)]
struct Extent {
    bounds: Bounds,
    min: [f64; 3],
    max: [f64; 3],
}

impl Extent {
    fn of(part: &[Reference]) -> Self {
        let mut extent = Extent {
            bounds: Bounds::EMPTY,
            min: [f64::INFINITY; 3],
            max: [f64::NEG_INFINITY; 3],
        };
        for reference in part {
            extent.bounds.add(&reference.min, &reference.max);
            for axis in 0..3 {
                let centre = reference.centre(axis);
                extent.min[axis] = extent.min[axis].min(centre);
                extent.max[axis] = extent.max[axis].max(centre);
            }
        }
        extent
    }

    fn join(mut self, other: Extent) -> Self {
        self.bounds.add(&other.bounds.min, &other.bounds.max);
        for axis in 0..3 {
            self.min[axis] = self.min[axis].min(other.min[axis]);
            self.max[axis] = self.max[axis].max(other.max[axis]);
        }
        self
    }

    fn widest_axis(&self) -> usize {
        let width = |axis: usize| self.max[axis] - self.min[axis];
        (1..3).fold(0, |best, axis| {
            if width(axis) > width(best) {
                axis
            } else {
                best
            }
        })
    }
}

/// What fell into each bin of each axis.
#[derive(Clone)]
struct Bins([[(usize, Bounds); MAX_BINS]; 3]);

impl Bins {
    fn of(part: &[Reference], axes: &[Option<Axis>; 3]) -> Self {
        let mut bins = Bins([[(0, Bounds::EMPTY); MAX_BINS]; 3]);
        for reference in part {
            for (row, grid) in bins.0.iter_mut().zip(axes) {
                if let Some(grid) = grid {
                    let (count, bounds) = &mut row[grid.bin(reference)];
                    *count += 1;
                    bounds.add(&reference.min, &reference.max);
                }
            }
        }
        bins
    }

    fn join(mut self, other: Bins) -> Self {
        for (row, others) in self.0.iter_mut().zip(&other.0) {
            for ((count, bounds), (more, other)) in row.iter_mut().zip(others) {
                *count += more;
                bounds.add(&other.min, &other.max);
            }
        }
        self
    }
}

/// Decides what becomes of a group. `may_bin` off means: only halve.
pub(super) fn plan(part: &[Reference], settings: &Settings, may_bin: bool) -> Plan {
    // Counts and boxes do not depend on the order in which they are joined, so neither does
    // the tree.
    let extent = measure(part, &Extent::of, &Extent::join);
    let fits_leaf = part.len() <= settings.max_leaf;
    let split = if part.len() == 1 {
        None
    } else if !may_bin {
        let axis = extent.widest_axis();
        (!fits_leaf).then_some(Split::Halve { axis })
    } else {
        let axes = [0, 1, 2].map(|axis| Axis::new(axis, &extent, settings.bins));
        let best = axes
            .iter()
            .any(Option::is_some)
            .then(|| measure(part, &|chunk: &[_]| Bins::of(chunk, &axes), &Bins::join))
            .and_then(|bins| cheapest(&bins, &axes));
        let area = extent.bounds.half_area();
        match best {
            Some((cost, _)) if fits_leaf && part.len() as f64 * area <= STEP_COST * area + cost => {
                None
            }
            Some((_, split)) => Some(split),
            None if fits_leaf => None,
            None => Some(Split::Anyhow),
        }
    };
    Plan {
        bounds: extent.bounds,
        split,
    }
}

/// One value for a group, from its chunks in parallel when there is more than one.
fn measure<T: Send>(
    part: &[Reference],
    of: &(impl Fn(&[Reference]) -> T + Sync),
    join: &(impl Fn(T, T) -> T + Sync),
) -> T {
    if part.len() < 2 * CHUNK {
        of(part)
    } else {
        let (left, right) = part.split_at(part.len() / 2);
        let (left, right) = rayon::join(|| measure(left, of, join), || measure(right, of, join));
        join(left, right)
    }
}

/// The split with the least `area * triangles` summed over both sides; of equals the first
/// one met.
fn cheapest(bins: &Bins, axes: &[Option<Axis>; 3]) -> Option<(f64, Split)> {
    let mut best: Option<(f64, Split)> = None;
    for (row, grid) in bins.0.iter().zip(axes) {
        let Some(grid) = grid else { continue };
        let row = &row[..grid.bins];
        let mut right_costs = [0.0; MAX_BINS];
        let (mut count, mut bounds) = (0, Bounds::EMPTY);
        for boundary in (1..grid.bins).rev() {
            count += row[boundary].0;
            bounds.add(&row[boundary].1.min, &row[boundary].1.max);
            right_costs[boundary] = count as f64 * bounds.half_area();
        }
        let (mut count, mut bounds) = (0, Bounds::EMPTY);
        for boundary in 1..grid.bins {
            count += row[boundary - 1].0;
            bounds.add(&row[boundary - 1].1.min, &row[boundary - 1].1.max);
            let cost = count as f64 * bounds.half_area() + right_costs[boundary];
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                let grid = *grid;
                best = Some((cost, Split::Bins { grid, boundary }));
            }
        }
    }
    best
}

impl Split {
    /// Reorders the group and tells where its second half begins.
    pub(super) fn apply(&self, part: &mut [Reference]) -> usize {
        match self {
            Split::Bins { grid, boundary } => partition(part, |r| grid.bin(r) < *boundary),
            Split::Halve { axis } => {
                let middle = part.len() / 2;
                part.select_nth_unstable_by(middle, |a, b| {
                    let by_centre = a.centre(*axis).total_cmp(&b.centre(*axis));
                    by_centre.then(a.prim.cmp(&b.prim))
                });
                middle
            }
            Split::Anyhow => part.len() / 2,
        }
    }
}

/// Brings those for which `first` holds to the front; their number.
fn partition(part: &mut [Reference], first: impl Fn(&Reference) -> bool) -> usize {
    let (mut low, mut high) = (0, part.len());
    while low < high {
        if first(&part[low]) {
            low += 1;
        } else {
            high -= 1;
            part.swap(low, high);
        }
    }
    low
}
