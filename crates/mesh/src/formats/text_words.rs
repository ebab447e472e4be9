//! Reads a text word by word, across its lines.

use core::ops::Range;

use super::input::MeshInput;
use crate::error::MeshError;
use crate::frame::{FileFrame, RoundedCoordinate};
use crate::text::is_blank;
use crate::text::number::leading_decimal;

/// The words of a text, one after the other.
pub(crate) struct TextWords<'i, 'a> {
    pub(crate) input: &'i mut MeshInput<'a>,
    /// The byte that begins a comment, which ends with its line.
    comment: Option<u8>,
    /// The last word, as a range of the line.
    word: Range<usize>,
    /// The start of the first word of the line.
    first: usize,
    /// The end of the line before its comment.
    end: usize,
}

impl<'i, 'a> TextWords<'i, 'a> {
    pub(crate) fn new(input: &'i mut MeshInput<'a>, comment: Option<u8>) -> Self {
        TextWords {
            input,
            comment,
            word: 0..0,
            first: 0,
            end: 0,
        }
    }

    /// Advances to the next word; returns `false` at the end of the text.
    #[inline]
    pub(crate) fn advance(&mut self) -> Result<bool, MeshError> {
        while !self.advance_in_line() {
            if !self.next_line()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Advances to the next word of the line; returns `false` at its end.
    #[inline]
    pub(crate) fn advance_in_line(&mut self) -> bool {
        let rest = self.rest_of_line();
        let Some(start) = rest.iter().position(|byte| !is_blank(byte)) else {
            return false;
        };
        let length = rest[start..].iter().position(is_blank);
        let start = self.word.end + start;
        self.word = start..length.map_or(self.end, |length| start + length);
        true
    }

    fn next_line(&mut self) -> Result<bool, MeshError> {
        (self.word, self.first, self.end) = (0..0, 0, 0);
        let is_first = self.input.offset() == 0;
        if !self.input.next_line()? {
            return Ok(false);
        }
        let line = self.input.last();
        let comment = self.comment.and_then(|byte| memchr::memchr(byte, line));
        self.end = comment.unwrap_or(line.len());
        let mark = if is_first && line.starts_with(b"\xef\xbb\xbf") {
            3
        } else {
            0
        };
        let text = line.get(mark..self.end).unwrap_or_default();
        self.first = mark + text.iter().take_while(|byte| is_blank(byte)).count();
        self.restart_line();
        Ok(true)
    }

    /// Advances by three words and returns the vertex that they are, if they are decimals on the line, as
    /// nearly all coordinates are, that need no more care than [`leading_decimal`] takes; else stays
    /// where it is.
    #[inline]
    pub(crate) fn corner(&mut self, frame: &FileFrame) -> Option<[RoundedCoordinate; 3]> {
        let line = self.rest_of_line();
        let mut rest = line;
        let mut numbers = [0.0; 3];
        for number in &mut numbers {
            let start = rest.iter().position(|byte| !is_blank(byte))?;
            (*number, rest) = leading_decimal(&rest[start..])?;
            if rest.first().is_some_and(|byte| !is_blank(byte)) {
                return None;
            }
        }
        let corner = frame.near_decimals(numbers)?;
        self.skip(line.len() - rest.len());
        Some(corner)
    }

    /// Returns the last word.
    #[inline]
    pub(crate) fn word(&self) -> &[u8] {
        &self.input.last()[self.word.clone()]
    }

    /// Returns to before the last word, so that it is the next one again.
    pub(crate) fn step_back(&mut self) {
        self.end_word_at(0);
    }

    /// Ends the last word after `length` of its bytes; the rest of it is the next word.
    pub(crate) fn end_word_at(&mut self, length: usize) {
        self.word.end = self.word.start + length;
    }

    /// Returns the place of the last word in its line.
    pub(crate) fn place(&self) -> Range<usize> {
        self.word.clone()
    }

    /// Returns to a place in the same line.
    pub(crate) fn return_to(&mut self, place: Range<usize>) {
        self.word = place;
    }

    /// Returns the line from this byte to the end of the last word.
    pub(crate) fn line_from(&self, start: usize) -> &[u8] {
        &self.input.last()[start..self.word.end]
    }

    /// Returns the line after the last word, without its comment.
    pub(crate) fn rest_of_line(&self) -> &[u8] {
        &self.input.last()[self.word.end..self.end]
    }

    /// Skips `count` bytes of the line.
    pub(crate) fn skip(&mut self, count: usize) {
        self.word = self.word.end + count..self.word.end + count;
    }

    /// Skips the rest of the line.
    pub(crate) fn skip_line(&mut self) {
        self.word = self.end..self.end;
    }

    /// Returns to the start of the line.
    pub(crate) fn restart_line(&mut self) {
        self.word = self.first..self.first;
    }

    /// Returns whether the last word is the last of its line.
    pub(crate) fn is_last_in_line(&self) -> bool {
        self.rest_of_line().iter().all(is_blank)
    }

    /// Returns whether the last word is the first of its line.
    pub(crate) fn is_first_in_line(&self) -> bool {
        self.word.start == self.first
    }
}
