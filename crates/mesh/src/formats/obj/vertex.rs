//! Parses vertex statements.

use super::statement_words::Words;
use crate::frame::{FileFrame, RoundedCoordinate};
use crate::text::number::parse_f32;
use crate::text::{counted, quote};

/// A vertex statement.
pub(super) struct Vertex {
    pub(super) corner: [RoundedCoordinate; 3],
    pub(super) weight: Option<f32>,
    pub(super) has_colour: bool,
}

impl Vertex {
    /// Parses `x y z`, an optional weight, and an optional colour of three or four numbers.
    pub(super) fn parse(text: &[u8], frame: &FileFrame) -> Result<Vertex, String> {
        const MOST: usize = 8;
        let mut corner = [RoundedCoordinate::UNREAD; 3];
        let mut others = [0.0; MOST - 3];
        let mut count = 0;
        for word in Words::new(text) {
            let read = match count {
                axis @ 0..3 => frame.decimal(axis, word).map(|read| corner[axis] = read),
                _ => parse_f32(word).map(|value| {
                    if let Some(other) = others.get_mut(count - 3) {
                        *other = value;
                    }
                }),
            };
            if read.is_none() {
                return Err(format!("{} is not a decimal number", quote(word)));
            }
            count += 1;
        }
        let [w, ..] = others;
        let (weight, has_colour) = match count {
            3 => (None, false),
            4 => (Some(w), false),
            6 | 7 => (None, true),
            8 => (Some(w), true),
            _ => {
                let numbers = counted(count as u64, "number");
                return Err(format!("a vertex has {numbers} instead of 3, 4, 6, 7 or 8"));
            }
        };
        Ok(Vertex {
            corner,
            weight,
            has_colour,
        })
    }
}
