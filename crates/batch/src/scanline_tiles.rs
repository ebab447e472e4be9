//! The order of rays that come in scanlines, by tiles: neighbours in a picture are traced together.
//!
//! Scanlines are taken in bands of up to sixteen, and bands are cut into tiles of 256 rays: 16 by
//! 16, and wider ones where a band has fewer scanlines. Within a tile, each 16 rays are 4 by 4, and
//! each 64 are 8 by 8. So the groups, packets and tiles of engines, which take rays in their order,
//! are as compact as they can be.
//!
//! A scanline need not begin with a chunk: columns are then counted from the chunk's first ray, and
//! only tiles around the end of a scanline have rays from both of its ends.

/// The largest number of scanlines in a tile.
pub(crate) const TILE_ROWS: usize = 16;
/// The number of rays in a tile.
const TILE: usize = TILE_ROWS * TILE_ROWS;
/// The sides of the squares whose rays are adjacent in the order.
const SMALL: usize = 4;
const LARGE: usize = 8;
/// The number of rays that are gathered at a time, if tiles allow: few enough for the caches, and
/// enough for engines.
const PART: usize = 4096;

/// The tiles of a chunk, part by part.
pub(crate) struct ScanlineTiles {
    scanline: usize,
    /// The number of rays in the chunk, and of whole scanlines among them.
    count: usize,
    rows: usize,
    /// The largest number of scanlines in a tile.
    most_rows: usize,
    /// The first row and column of the next tile.
    top: usize,
    left: usize,
}

impl ScanlineTiles {
    /// Returns the tiles of `count` rays in scanlines of `scanline` rays, each with at most
    /// `most_rows` of them.
    pub(crate) fn new(count: usize, scanline: usize, most_rows: usize) -> Self {
        let scanline = scanline.max(1);
        ScanlineTiles {
            scanline,
            count,
            rows: count / scanline,
            most_rows: most_rows.clamp(1, TILE_ROWS),
            top: 0,
            left: 0,
        }
    }

    /// Fills `order` with the places, in the chunk, of the rays of the next tiles. Returns whether
    /// there were any.
    pub(crate) fn next_part(&mut self, order: &mut Vec<u32>) -> bool {
        order.clear();
        while order.len() + TILE <= PART && self.top < self.rows {
            let height = self.most_rows.min(self.rows - self.top);
            let whole = TILE / height / SMALL * SMALL;
            let width = whole.min(self.scanline - self.left);
            self.add_tile(order, width, height);
            self.left += width;
            if self.left == self.scanline {
                self.left = 0;
                self.top += height;
                if width < whole {
                    break; // so that the next tile begins where engines begin one
                }
            }
        }
        if order.is_empty() && self.top == self.rows {
            // The rest is less than a scanline.
            order.extend((self.scanline * self.rows) as u32..self.count as u32);
            self.top += 1;
        }
        !order.is_empty()
    }

    /// Adds the rays of a tile by squares.
    fn add_tile(&self, order: &mut Vec<u32>, width: usize, height: usize) {
        for y in (0..height).step_by(LARGE) {
            for x in (0..width).step_by(LARGE) {
                for (x, y) in [
                    (x, y),
                    (x + SMALL, y),
                    (x, y + SMALL),
                    (x + SMALL, y + SMALL),
                ] {
                    let columns = x.min(width)..(x + SMALL).min(width);
                    for y in y..(y + SMALL).min(height) {
                        let first = (self.top + y) * self.scanline + self.left;
                        let places = first + columns.start..first + columns.end;
                        order.extend(places.start as u32..places.end as u32);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn orders(count: usize, row: usize, most_rows: usize) -> Vec<Vec<u32>> {
        let mut tiles = ScanlineTiles::new(count, row, most_rows);
        let mut order = vec![7; 3];
        let mut parts = Vec::new();
        while tiles.next_part(&mut order) {
            parts.push(order.clone());
        }
        assert!(!tiles.next_part(&mut order));
        parts
    }

    #[test]
    fn every_ray_is_there_once_whatever_the_rows() {
        for row in [1, 3, 15, 16, 17, 33, 64, 100, 1000, 5000] {
            for rows in [0, 1, 2, 3, 5, 15, 16, 17, 40] {
                for rest in [0, 1, row / 2, row - 1] {
                    for most_rows in [0, 1, 4, 8, 16, 99] {
                        let count = row * rows + rest;
                        let parts = orders(count, row, most_rows);
                        let largest = parts.iter().map(Vec::len).max();
                        assert!(largest.is_none_or(|rays| rays <= PART.max(row)));
                        let mut all = parts.concat();
                        all.sort_unstable();
                        let what = (row, rows, rest, most_rows);
                        assert!(all.into_iter().eq(0..count as u32), "{what:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn groups_packets_and_tiles_are_squares() {
        let parts = orders(64 * 48, 64, 16);
        let all = parts.concat();
        for side in [4, 8, 16] {
            for square in all.chunks(side * side) {
                let at = |place: u32| [place % 64 / side as u32, place / 64 / side as u32];
                let first = at(square[0]);
                assert!(square.iter().all(|&place| at(place) == first), "{side}");
            }
        }
        // Of eight rows, tiles are 32 by 8.
        for tile in orders(64 * 8, 64, 16).concat().chunks(256) {
            assert!(
                tile.iter()
                    .all(|place| place % 64 / 32 == tile[0] % 64 / 32)
            );
        }
    }
}
