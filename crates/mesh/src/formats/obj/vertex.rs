//! Parses vertex statements.

use estoc_core::glam::Vec3;

use super::statement_words::Words;
use crate::text::number::parse_f32;
use crate::text::{counted, quote};

/// A vertex statement.
pub(super) struct Vertex {
    pub(super) position: Vec3,
    pub(super) weight: Option<f32>,
    pub(super) has_colour: bool,
}

impl Vertex {
    /// Parses `x y z`, an optional weight, and an optional colour of three or four numbers.
    pub(super) fn parse(text: &[u8]) -> Result<Vertex, String> {
        const MOST: usize = 8;
        let mut numbers = [0.0; MOST];
        let mut count = 0;
        for word in Words::new(text) {
            let Some(value) = parse_f32(word) else {
                return Err(format!("{} is not a decimal number", quote(word)));
            };
            if count < MOST {
                numbers[count] = value;
            }
            count += 1;
        }
        let [x, y, z, w, ..] = numbers;
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
            position: Vec3::new(x, y, z),
            weight,
            has_colour,
        })
    }
}
