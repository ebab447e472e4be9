//! Eight boxes side by side, as the kernels read them.

/// How many children a node has at most, and triangles a leaf.
pub(crate) const WIDTH: usize = 8;

/// Eight numbers, one a lane.
pub(crate) type Lanes = [f32; WIDTH];

/// The boxes of up to eight children and where these are.
///
/// Children that are nodes stand side by side, in the order of their lanes.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
pub(crate) struct Node {
    /// By axis: the low and the high faces. A lane without a child has `+inf` and `-inf`,
    /// which no ray meets.
    pub(crate) faces: [[Lanes; 2]; 3],
    /// A leaf's first slot, or the number of a node.
    pub(crate) place: [u32; WIDTH],
    /// How many triangles a leaf has; 0 for a node, and for no child.
    pub(crate) len: [u8; WIDTH],
    /// How many lanes have a child.
    pub(crate) children: u8,
}

const _: () = assert!(size_of::<Node>() == 256);

/// What a lane leads to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Child {
    /// The slots `first .. first + len`.
    Leaf { first: usize, len: usize },
    /// A node.
    Node(usize),
}

impl Node {
    pub(crate) const EMPTY: Node = Node {
        faces: [[[f32::INFINITY; WIDTH], [f32::NEG_INFINITY; WIDTH]]; 3],
        place: [0; WIDTH],
        len: [0; WIDTH],
        children: 0,
    };

    /// Sets the next lane.
    pub(crate) fn push(&mut self, min: [f32; 3], max: [f32; 3], child: Child) {
        let lane = usize::from(self.children);
        for axis in 0..3 {
            self.faces[axis][0][lane] = min[axis];
            self.faces[axis][1][lane] = max[axis];
        }
        (self.place[lane], self.len[lane]) = match child {
            Child::Leaf { first, len } => (first as u32, len as u8),
            Child::Node(place) => (place as u32, 0),
        };
        self.children += 1;
    }

    pub(crate) fn child(&self, lane: usize) -> Child {
        let place = self.place[lane] as usize;
        match self.len[lane] {
            0 => Child::Node(place),
            len => Child::Leaf {
                first: place,
                len: len.into(),
            },
        }
    }

    /// The lanes that have a child.
    pub(crate) fn lanes(&self) -> std::ops::Range<usize> {
        0..usize::from(self.children).min(WIDTH)
    }

    /// Whether no ray meets the boxes of lanes that have no child.
    pub(crate) fn is_empty_beyond_its_children(&self) -> bool {
        let children = usize::from(self.children);
        let empty = |lane: usize| self.bounds(lane) == Node::EMPTY.bounds(lane);
        children <= WIDTH && (children..WIDTH).all(empty)
    }

    /// The box of a lane.
    pub(crate) fn bounds(&self, lane: usize) -> ([f32; 3], [f32; 3]) {
        let side = |side: usize| [0, 1, 2].map(|axis| self.faces[axis][side][lane]);
        (side(0), side(1))
    }
}
