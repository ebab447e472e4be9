//! Cells of CSV that are passed through to the output.

/// Cells of the input that are copied to the output: a fixed number for each item.
#[derive(Clone, Debug, Default)]
pub struct PassedCells {
    text: Vec<u8>,
    /// The end of each cell in `text`.
    ends: Vec<usize>,
    /// Number of cells of each item.
    pub(crate) width: usize,
}

impl PassedCells {
    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }

    pub(crate) fn push(&mut self, cell: &[u8]) {
        self.text.extend_from_slice(cell);
        self.ends.push(self.text.len());
    }

    /// Appends the cells of more items.
    pub(crate) fn append(&mut self, other: &PassedCells) {
        let before = self.text.len();
        self.text.extend_from_slice(&other.text);
        self.ends.extend(other.ends.iter().map(|end| before + end));
    }

    /// Returns a cell of an item as written in the input, with its quotes; empty if there is none.
    pub fn get(&self, item: usize, column: usize) -> &[u8] {
        let place = item * self.width + column;
        let start = place
            .checked_sub(1)
            .map_or(Some(0), |before| self.ends.get(before).copied());
        match (start, self.ends.get(place)) {
            (Some(start), Some(&end)) => &self.text[start..end],
            _ => b"",
        }
    }
}
