//! Reads the body: the values of the elements, as text or binary.

use super::declared_elements::{Element, Property};
use crate::error::{InputLimits, MeshError};
use crate::formats::input::MeshInput;
use crate::formats::scalar::Scalar;
use crate::frame::{FileFrame, RoundedCoordinate};
use crate::text::number::parse_f32;
use crate::text::{counted, is_blank, parse_index, quote, words};

/// Why an element cannot be read.
pub(super) enum ElementFault {
    /// The rest of the file cannot be read either.
    End(MeshError),
    /// Only this element is invalid.
    Element(String),
}

impl From<MeshError> for ElementFault {
    fn from(error: MeshError) -> Self {
        ElementFault::End(error)
    }
}

/// Reads the values of elements one after the other.
pub(super) trait PlyBody {
    /// Starts the next element, `number` of its kind.
    fn begin(&mut self, element: &Element, number: u64) -> Result<(), MeshError>;

    /// Reads the next number as a coordinate of a position.
    fn coordinate(
        &mut self,
        kind: Scalar,
        axis: usize,
        frame: &FileFrame,
    ) -> Result<RoundedCoordinate, ElementFault>;

    /// Reads the next number.
    fn number(&mut self, kind: Scalar) -> Result<f32, ElementFault>;

    /// Reads the next number or list as indices.
    fn indices(&mut self, property: &Property, each: impl FnMut(i64)) -> Result<(), ElementFault>;

    /// Skips a number or a list.
    fn skip(&mut self, property: &Property) -> Result<(), ElementFault>;

    /// Ends an element after all its values were read; returns the number of values after them, which
    /// a line of a text can have.
    fn end(&mut self) -> u64;

    /// Skips all elements of a kind.
    fn skip_all(&mut self, element: &Element) -> Result<(), MeshError>;

    /// Returns the line of the element, for a text.
    fn line(&self) -> Option<u64>;

    fn input(&self) -> &MeshInput<'_>;
}

/// Values as text, one element per line.
pub(super) struct Ascii<'i, 'a> {
    pub(super) input: &'i mut MeshInput<'a>,
    /// The number of bytes of the line that were consumed.
    pub(super) taken: usize,
}

impl Ascii<'_, '_> {
    fn word(&mut self) -> Result<&[u8], ElementFault> {
        let rest = &self.input.last()[self.taken..];
        let start = rest.iter().position(|byte| !is_blank(byte));
        let too_few = || ElementFault::Element("the line has too few numbers".into());
        let start = start.ok_or_else(too_few)?;
        let word = &rest[start..];
        let length = word.iter().position(is_blank).unwrap_or(word.len());
        self.taken += start + length;
        Ok(&word[..length])
    }

    fn length(&mut self) -> Result<i64, ElementFault> {
        let word = self.word()?;
        let length = parse_index(word).filter(|&length| length >= 0);
        length.ok_or_else(|| is_not(word, "a list length"))
    }
}

fn is_not(word: &[u8], what: &str) -> ElementFault {
    ElementFault::Element(format!("{} is not {what}", quote(word)))
}

impl PlyBody for Ascii<'_, '_> {
    fn begin(&mut self, element: &Element, number: u64) -> Result<(), MeshError> {
        self.taken = 0;
        if self.input.next_text()? {
            return Ok(());
        }
        let (name, count) = (quote(element.name.as_bytes()), element.count);
        let problem = format!("the file ends after {number} of {count} elements {name}");
        Err(self.input.bad_line(problem))
    }

    fn coordinate(
        &mut self,
        _: Scalar,
        axis: usize,
        frame: &FileFrame,
    ) -> Result<RoundedCoordinate, ElementFault> {
        let word = self.word()?;
        let read = frame.decimal(axis, word);
        read.ok_or_else(|| is_not(word, "a number"))
    }

    fn number(&mut self, _: Scalar) -> Result<f32, ElementFault> {
        let word = self.word()?;
        // Rounded once to the nearest f32, whatever the declared type.
        parse_f32(word).ok_or_else(|| is_not(word, "a number"))
    }

    fn indices(&mut self, _: &Property, mut each: impl FnMut(i64)) -> Result<(), ElementFault> {
        let length = self.length()?;
        for number in 0..length {
            let word = self.word().map_err(|_| {
                let list = counted(length as u64, "index");
                ElementFault::Element(format!("a list of {list} has only {number}"))
            })?;
            each(parse_index(word).ok_or_else(|| is_not(word, "an index"))?);
        }
        Ok(())
    }

    fn skip(&mut self, property: &Property) -> Result<(), ElementFault> {
        let count = match property.length {
            Some(_) => self.length()?,
            None => 1,
        };
        (0..count).try_for_each(|_| self.word().map(drop))
    }

    fn end(&mut self) -> u64 {
        words(&self.input.last()[self.taken..]).count() as u64
    }

    fn skip_all(&mut self, element: &Element) -> Result<(), MeshError> {
        (0..element.count).try_for_each(|number| self.begin(element, number))
    }

    fn line(&self) -> Option<u64> {
        Some(self.input.line_number())
    }

    fn input(&self) -> &MeshInput<'_> {
        self.input
    }
}

/// Binary values, without padding.
pub(super) struct Binary<'i, 'a> {
    pub(super) input: &'i mut MeshInput<'a>,
    pub(super) highest_first: bool,
    /// The element being read, for messages.
    pub(super) reading: String,
    pub(super) number: u64,
    pub(super) count: u64,
}

impl Binary<'_, '_> {
    #[cold]
    fn cut_short(&self) -> MeshError {
        let Binary { number, count, .. } = self;
        let name = quote(self.reading.as_bytes());
        let problem = format!("the file ends within element {name} {number} of {count}");
        self.input.malformed(self.input.at_byte(), problem)
    }

    /// Skips bytes.
    fn pass(&mut self, bytes: u64) -> Result<(), MeshError> {
        match self.input.skip(bytes)? {
            true => Ok(()),
            false => Err(self.cut_short()),
        }
    }

    #[inline]
    fn value(&mut self, kind: Scalar) -> Result<f64, ElementFault> {
        match self.input.take(kind.size())? {
            true => Ok(kind.decode(self.input.last(), self.highest_first)),
            false => Err(ElementFault::End(self.cut_short())),
        }
    }

    /// Reads the length of a list whose elements have type `kind`.
    fn length(&mut self, length: Scalar, kind: Scalar) -> Result<u64, ElementFault> {
        let found = self.value(length)?;
        let bytes = found * kind.size() as f64;
        if found.fract() == 0.0 && found >= 0.0 && bytes <= InputLimits::REAL.statement as f64 {
            return Ok(found as u64);
        }
        let (name, number) = (quote(self.reading.as_bytes()), self.number);
        let problem = format!("element {name} {number} has a list of length {found}");
        Err(self.input.malformed(self.input.at_byte(), problem).into())
    }
}

impl PlyBody for Binary<'_, '_> {
    fn begin(&mut self, element: &Element, number: u64) -> Result<(), MeshError> {
        if number == 0 {
            self.reading.clone_from(&element.name);
            self.count = element.count;
        }
        self.number = number;
        Ok(())
    }

    fn coordinate(
        &mut self,
        kind: Scalar,
        axis: usize,
        frame: &FileFrame,
    ) -> Result<RoundedCoordinate, ElementFault> {
        Ok(frame.number(axis, self.value(kind)?))
    }

    fn number(&mut self, kind: Scalar) -> Result<f32, ElementFault> {
        Ok(self.value(kind)? as f32)
    }

    fn indices(
        &mut self,
        property: &Property,
        mut each: impl FnMut(i64),
    ) -> Result<(), ElementFault> {
        let kind = property.kind;
        let mut no_index = None;
        for _ in 0..self.length(property.length.unwrap_or(kind), kind)? {
            let number = self.value(kind)?;
            match number.fract() == 0.0 {
                true => each(number as i64),
                false => no_index = no_index.or(Some(number)),
            }
        }
        match no_index {
            None => Ok(()),
            Some(number) => Err(ElementFault::Element(format!("{number} is not an index"))),
        }
    }

    fn skip(&mut self, property: &Property) -> Result<(), ElementFault> {
        let kind = property.kind;
        let count = match property.length {
            Some(length) => self.length(length, kind)?,
            None => 1,
        };
        Ok(self.pass(count * kind.size() as u64)?)
    }

    fn end(&mut self) -> u64 {
        0
    }

    fn skip_all(&mut self, element: &Element) -> Result<(), MeshError> {
        let size = |property: &Property| match property.length {
            Some(_) => None,
            None => Some(property.kind.size() as u64),
        };
        let sizes = element.properties.iter().map(size);
        self.begin(element, 0)?;
        if let Some(size) = sizes.sum::<Option<u64>>() {
            // A product beyond `u64` exceeds any file.
            return self.pass(size.saturating_mul(element.count));
        }
        for number in 0..element.count {
            self.begin(element, number)?;
            for property in &element.properties {
                match self.skip(property) {
                    Err(ElementFault::End(error)) => return Err(error),
                    // Skipped values are not checked.
                    Ok(()) | Err(ElementFault::Element(_)) => {}
                }
            }
        }
        Ok(())
    }

    fn line(&self) -> Option<u64> {
        None
    }

    fn input(&self) -> &MeshInput<'_> {
        self.input
    }
}
