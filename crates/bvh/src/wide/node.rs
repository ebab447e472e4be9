//! Nodes with eight boxes side by side, as kernels read them.

use bytemuck::{Pod, Zeroable};
use estoc_core::InlineMap;

/// The largest number of children of a node, and of triangles of a leaf.
pub const WIDTH: usize = 8;

/// Eight numbers, one for each lane.
pub(crate) type Lanes = [f32; WIDTH];

/// The boxes of up to eight children, and references to these.
///
/// Children that are nodes are adjacent in the array, in the order of their lanes.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub struct Node {
    /// By axis: the low and the high faces. A lane without a child has `+inf` and `-inf`, which no
    /// ray meets.
    pub faces: [[Lanes; 2]; 3],
    /// The first slot of a leaf, or the index of a node. No lane refers to node 0: a lane without a
    /// child has 0 here and no triangles in its tag.
    pub place: [u32; WIDTH],
    /// The [`Tag`]s.
    pub tags: [u32; WIDTH],
}

const _: () = assert!(size_of::<Node>() == 256);

/// The lane of a child in the lowest bits, and above them the number of triangles of a leaf; 0 for
/// a node. Kernels store it in the lowest bits of the keys that order children.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
pub struct Tag(pub u32);

impl Tag {
    /// The tag of a node in the first lane.
    pub const NODE: Tag = Tag(0);
    const LANE: u32 = WIDTH as u32 - 1;
    const LEN: u32 = 15 << Self::LANE.count_ones();
    /// The bits of a tag.
    pub const BITS: u32 = Self::LANE | Self::LEN;

    pub fn new(lane: usize, len: usize) -> Self {
        Tag(lane as u32 | (len as u32) << Self::LANE.count_ones())
    }

    /// Returns the tag in the lowest bits of a key.
    #[inline(always)]
    pub fn of(key: u32) -> Self {
        Tag(key & Self::BITS)
    }

    #[inline(always)]
    pub fn lane(self) -> usize {
        (self.0 & Self::LANE) as usize
    }

    /// Returns the number of triangles of a leaf; 0 for a node.
    #[inline(always)]
    pub fn len(self) -> usize {
        ((self.0 & Self::LEN) >> Self::LANE.count_ones()) as usize
    }
}

/// What a lane refers to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Child {
    /// The slots `first .. first + len`.
    Leaf { first: usize, len: usize },
    /// A node.
    Node(usize),
}

impl Node {
    pub const EMPTY: Node = Node {
        faces: [[[f32::INFINITY; WIDTH], [f32::NEG_INFINITY; WIDTH]]; 3],
        place: [0; WIDTH],
        tags: [0, 1, 2, 3, 4, 5, 6, 7],
    };

    /// Returns a box, grown by what the node test's rounding errors may amount to.
    pub(crate) fn grown(min: [f32; 3], max: [f32; 3]) -> ([f32; 3], [f32; 3]) {
        // 8u, of which one u is lost in the sum.
        let grant = |x: f32| x.abs() * (4.0 * f32::EPSILON);
        let min = min.inline_map(|x| (x - grant(x)).max(f32::MIN));
        (min, max.inline_map(|x| (x + grant(x)).min(f32::MAX)))
    }

    /// Sets a lane to a child, with its box grown.
    pub fn set(&mut self, lane: usize, min: [f32; 3], max: [f32; 3], child: Child) {
        self.set_bounds(lane, Node::grown(min, max));
        let (place, len) = match child {
            Child::Leaf { first, len } => (first, len),
            Child::Node(place) => (place, 0),
        };
        self.place[lane] = place as u32;
        self.tags[lane] = Tag::new(lane, len).0;
    }

    /// Sets the box of a lane.
    pub(crate) fn set_bounds(&mut self, lane: usize, (min, max): ([f32; 3], [f32; 3])) {
        for axis in 0..3 {
            self.faces[axis][0][lane] = min[axis];
            self.faces[axis][1][lane] = max[axis];
        }
    }

    /// Returns the box around all children, or that of [`EMPTY`](Self::EMPTY) nodes.
    pub(crate) fn hull(&self) -> ([f32; 3], [f32; 3]) {
        let each = |side: usize, of: fn(f32, f32) -> f32, least: f32| {
            [0, 1, 2].map(|axis: usize| self.faces[axis][side].into_iter().fold(least, of))
        };
        let min = each(0, f32::min, f32::INFINITY);
        (min, each(1, f32::max, f32::NEG_INFINITY))
    }

    pub fn child(&self, lane: usize) -> Child {
        let place = self.place[lane] as usize;
        match Tag(self.tags[lane]).len() {
            0 => Child::Node(place),
            len => Child::Leaf { first: place, len },
        }
    }

    /// Returns the lanes that have a child.
    pub fn lanes(&self) -> std::ops::Range<usize> {
        let has_child = |&lane: &usize| self.place[lane] != 0 || Tag(self.tags[lane]).len() > 0;
        0..(0..WIDTH).take_while(has_child).count()
    }

    /// Returns the first slot and the length of each leaf among the children.
    pub(crate) fn leaves(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let children = self.lanes().map(|lane| self.child(lane));
        children.filter_map(|child| match child {
            Child::Leaf { first, len } => Some((first, len)),
            Child::Node(_) => None,
        })
    }

    /// Returns whether there is a child, tags have the right lanes, leaves are no larger than
    /// allowed, and no ray meets the boxes of lanes without a child.
    pub(crate) fn is_sound(&self) -> bool {
        let children = self.lanes().len();
        children > 0
            && (0..WIDTH).all(|lane| {
                let len = Tag(self.tags[lane]).len();
                self.tags[lane] == Tag::new(lane, len).0 && len <= WIDTH
            })
            && (children..WIDTH).all(|lane| self.bounds(lane) == Node::EMPTY.bounds(lane))
    }

    /// Returns the box of a lane.
    pub fn bounds(&self, lane: usize) -> ([f32; 3], [f32; 3]) {
        let side = |side: usize| [0, 1, 2].inline_map(|axis| self.faces[axis][side][lane]);
        (side(0), side(1))
    }
}
