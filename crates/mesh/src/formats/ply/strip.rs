//! Strips of triangles.

use crate::assemble::draft::Draft;
use crate::error::MeshError;

/// The indices of strips, one after the other: each makes a triangle with the two before it, and -1
/// begins the next strip.
#[derive(Default)]
pub(super) struct Strips {
    /// The line, for a text.
    pub(super) line: Option<u64>,
    /// The number of corners of the strip so far, and the last two.
    count: u64,
    last: [i64; 2],
    /// The first error of a triangle.
    error: Option<MeshError>,
    /// The number of triangles with the same corner twice, by which strips turn.
    repeating: u64,
    /// The number of corners of strips that are too short.
    left_over: u64,
}

impl Strips {
    pub(super) fn corner(&mut self, index: i64, draft: &mut Draft) {
        // -1 as an unsigned number is no vertex either.
        if index == -1 || index == i64::from(u32::MAX) {
            return self.end();
        }
        let [a, b] = self.last;
        if self.count >= 2 {
            if a == b || b == index || index == a {
                self.repeating += 1;
            } else {
                // The corners of every other triangle run the other way around.
                let corners = match self.count % 2 {
                    0 => [a, b, index],
                    _ => [a, index, b],
                };
                draft.begin_face(self.line);
                corners.iter().for_each(|&corner| draft.corner(corner));
                if let Err(error) = draft.end_face() {
                    self.error.get_or_insert(error);
                }
            }
        }
        self.last = [b, index];
        self.count += 1;
    }

    /// Ends a strip.
    fn end(&mut self) {
        if self.count < 3 {
            self.left_over += self.count;
        }
        self.count = 0;
    }

    /// Ends the strips of an element.
    pub(super) fn end_element(&mut self) -> Result<(), MeshError> {
        self.end();
        self.error.take().map_or(Ok(()), Err)
    }

    /// Records what made no triangle.
    pub(super) fn report(self, draft: &mut Draft) {
        for (what, count) in [
            ("triangles of strips with a corner twice", self.repeating),
            ("corners that do not complete a triangle", self.left_over),
        ] {
            if count > 0 {
                draft.ignore(what, count);
            }
        }
    }
}
