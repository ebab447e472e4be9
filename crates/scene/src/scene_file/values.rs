//! Values of a TOML table, with the lines of what is wrong.

use super::{MeshPrecision, SceneFileError, SceneLocation, location};
use estoc_core::glam::Vec3;
use std::ops::Range;
use std::path::Path;
use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

/// A text of which places are asked for by line.
pub(super) struct Lines<'a> {
    path: &'a Path,
    /// Where each line ends.
    ends: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub(super) fn of(text: &str, path: &'a Path) -> Self {
        let bytes = text.bytes().enumerate();
        let ends = bytes.filter(|(_, byte)| *byte == b'\n').map(|(i, _)| i);
        Lines {
            path,
            ends: ends.collect(),
        }
    }

    /// Returns the line of a part of the text, from 1.
    pub(super) fn line(&self, span: Range<usize>) -> u64 {
        1 + self.ends.partition_point(|&end| end < span.start) as u64
    }

    pub(super) fn at(&self, span: Range<usize>) -> SceneLocation {
        location(self.path, Some(self.line(span)))
    }
}

/// A table that is read.
pub(super) struct Fields<'a> {
    pub(super) lines: &'a Lines<'a>,
    pub(super) table: &'a DeTable<'a>,
    /// What it is called in messages.
    pub(super) what: &'static str,
    /// Where it begins.
    pub(super) span: Range<usize>,
}

/// A value of the type that was asked for.
pub(super) struct Value<T> {
    pub(super) value: T,
    pub(super) span: Range<usize>,
}

impl<'a> Fields<'a> {
    /// Refuses the first key that is not one of these; `list` has them as a text.
    pub(super) fn know(&self, known: &[&str], list: &'static str) -> Result<(), SceneFileError> {
        let unknown = self.table.keys();
        let unknown = unknown.filter(|key| !known.contains(&&**key.get_ref()));
        match unknown.min_by_key(|key| key.span().start) {
            None => Ok(()),
            Some(key) => Err(SceneFileError::UnknownKey {
                at: self.lines.at(key.span()),
                table: self.what,
                key: key.get_ref().to_string(),
                known: list,
            }),
        }
    }

    pub(super) fn get(&self, key: &str) -> Option<&'a Spanned<DeValue<'a>>> {
        self.table.get(key)
    }

    /// Returns the error for a key that is needed.
    pub(super) fn missing(&self, key: &'static str) -> SceneFileError {
        SceneFileError::MissingKey {
            at: self.lines.at(self.span.clone()),
            table: self.what,
            key,
        }
    }

    /// Returns the value of a key, as `read` returns it.
    fn value<T>(
        &self,
        key: &'static str,
        expected: &'static str,
        read: impl Fn(&'a DeValue<'a>) -> Option<T>,
    ) -> Result<Option<Value<T>>, SceneFileError> {
        self.read(key, expected, |value| {
            read(value.get_ref()).ok_or_else(|| Wrong::of(value))
        })
    }

    pub(super) fn text(&self, key: &'static str) -> Result<Option<Value<&'a str>>, SceneFileError> {
        self.value(key, "a string", DeValue::as_str)
    }

    pub(super) fn truth(&self, key: &'static str) -> Result<Option<bool>, SceneFileError> {
        let value = self.value(key, "true or false", DeValue::as_bool)?;
        Ok(value.map(|value| value.value))
    }

    pub(super) fn precision(&self) -> Result<Option<Value<MeshPrecision>>, SceneFileError> {
        const EXPECTED: &str = "\"auto\", \"f32\" or \"f64\"";
        let named = |value: &'a DeValue<'a>| MeshPrecision::of_name(value.as_str()?);
        self.value("precision", EXPECTED, named)
    }

    pub(super) fn bits(&self, key: &'static str) -> Result<Option<u32>, SceneFileError> {
        const EXPECTED: &str = "a whole number from 0 to 4294967295";
        let bits = |value: &'a DeValue<'a>| u32::try_from(whole(value.as_integer()?)?).ok();
        let value = self.value(key, EXPECTED, bits)?;
        Ok(value.map(|value| value.value))
    }

    /// Returns the tables of an array; none if there is no such key.
    pub(super) fn tables(
        &self,
        key: &'static str,
        what: &'static str,
    ) -> Result<Vec<Fields<'a>>, SceneFileError> {
        let expected = "tables, each begun by its name in double brackets";
        Ok(self.listed(key, what, expected)?.unwrap_or_default())
    }

    /// Returns the tables of an array, each of which is called `what` in messages.
    pub(super) fn listed(
        &self,
        key: &'static str,
        what: &'static str,
        expected: &'static str,
    ) -> Result<Option<Vec<Fields<'a>>>, SceneFileError> {
        let wrong = |value: &Spanned<DeValue<'_>>| SceneFileError::WrongValue {
            at: self.lines.at(value.span()),
            key,
            expected,
            found: described(value.get_ref()),
        };
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        let array = value.get_ref().as_array().ok_or_else(|| wrong(value))?;
        let fields = array.iter().map(|value| {
            let table = value.get_ref().as_table().ok_or_else(|| wrong(value))?;
            Ok(Fields {
                lines: self.lines,
                table,
                what,
                span: value.span(),
            })
        });
        fields.collect::<Result<_, _>>().map(Some)
    }

    /// Returns a number, the nearest `f32`.
    pub(super) fn number(&self, key: &'static str) -> Result<Option<Value<f32>>, SceneFileError> {
        self.read(key, "a finite number in the range of f32", number_32)
    }

    /// Returns three numbers, each the nearest `f32`.
    pub(super) fn needed_point(&self, key: &'static str) -> Result<Vec3, SceneFileError> {
        let expected = "three finite numbers in the range of f32, as in [0, 0, 1.5]";
        let point = self.read(key, expected, point)?;
        point
            .map(|point| point.value)
            .ok_or_else(|| self.missing(key))
    }

    /// Returns three times three numbers, each the nearest `f32`.
    pub(super) fn points(&self, key: &'static str) -> Result<Option<[Vec3; 3]>, SceneFileError> {
        let expected =
            "three lists of three finite numbers, as in [[1, 0, 0], [0, 1, 0], [0, 0, 1]]";
        let points = self.read(key, expected, |value| array(value, point))?;
        Ok(points.map(|points| points.value))
    }

    /// Returns this many numbers, each the nearest `f64`.
    pub(super) fn numbers_64<const N: usize>(
        &self,
        key: &'static str,
        expected: &'static str,
    ) -> Result<Option<[f64; N]>, SceneFileError> {
        let finite = |value: &Spanned<DeValue<'_>>| {
            let number = number(value.get_ref()).filter(|number| number.is_finite());
            number.ok_or_else(|| Wrong::of(value))
        };
        let numbers = self.read(key, expected, |value| array(value, finite))?;
        Ok(numbers.map(|numbers| numbers.value))
    }

    fn read<T>(
        &self,
        key: &'static str,
        expected: &'static str,
        read: impl Fn(&'a Spanned<DeValue<'a>>) -> Result<T, Wrong>,
    ) -> Result<Option<Value<T>>, SceneFileError> {
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        let span = value.span();
        match read(value) {
            Ok(value) => Ok(Some(Value { value, span })),
            Err(Wrong { span: at, found }) => Err(SceneFileError::WrongValue {
                found: if at == span {
                    found
                } else {
                    format!("one with {found}")
                },
                at: self.lines.at(at),
                key,
                expected,
            }),
        }
    }

    /// Returns the numbers of an array, each the nearest `f64`.
    pub(super) fn numbers(
        &self,
        key: &'static str,
    ) -> Result<Option<Value<Vec<Value<f64>>>>, SceneFileError> {
        let number = |value: &Spanned<DeValue<'_>>| {
            let span = value.span();
            let number = number(value.get_ref()).map(|value| Value { value, span });
            number.ok_or_else(|| Wrong::of(value))
        };
        self.read(key, "an array of numbers", |value| {
            let array = value.get_ref().as_array();
            let array = array.ok_or_else(|| Wrong::of(value))?;
            array.iter().map(number).collect()
        })
    }
}

fn whole(integer: &DeInteger<'_>) -> Option<i128> {
    i128::from_str_radix(integer.as_str(), integer.radix()).ok()
}

/// Returns the nearest `f64`, which may be infinite.
fn number(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Integer(integer) => whole(integer).map(|whole| whole as f64),
        DeValue::Float(float) => float.as_str().parse().ok(),
        _ => None,
    }
}

/// A value that is not what was asked for.
struct Wrong {
    span: Range<usize>,
    found: String,
}

impl Wrong {
    fn of(value: &Spanned<DeValue<'_>>) -> Self {
        Wrong {
            span: value.span(),
            found: described(value.get_ref()),
        }
    }
}

/// Returns the nearest `f32`, if it is finite.
fn number_32(value: &Spanned<DeValue<'_>>) -> Result<f32, Wrong> {
    let number = match value.get_ref() {
        DeValue::Integer(integer) => whole(integer).map(|whole| whole as f32),
        DeValue::Float(float) => float.as_str().parse().ok(),
        _ => None,
    };
    let finite = number.filter(|number: &f32| number.is_finite());
    finite.ok_or_else(|| Wrong::of(value))
}

fn point(value: &Spanned<DeValue<'_>>) -> Result<Vec3, Wrong> {
    array(value, number_32).map(Vec3::from)
}

/// Returns the values of an array of this length.
fn array<T, const N: usize>(
    value: &Spanned<DeValue<'_>>,
    read: impl Fn(&Spanned<DeValue<'_>>) -> Result<T, Wrong>,
) -> Result<[T; N], Wrong> {
    let array = value.get_ref().as_array();
    let array = array.ok_or_else(|| Wrong::of(value))?;
    let wrong = || Wrong {
        span: value.span(),
        found: format!("an array of {}", array.len()),
    };
    if array.len() != N {
        return Err(wrong());
    }
    let values = array.iter().map(read).collect::<Result<Vec<T>, Wrong>>()?;
    values.try_into().map_err(|_| wrong())
}

/// Names a value in a message.
fn described(value: &DeValue<'_>) -> String {
    const SHOWN: usize = 60;
    match value {
        DeValue::String(text) => {
            let start: String = text.chars().take(SHOWN).collect();
            let dots = if start.len() < text.len() { "..." } else { "" };
            format!("the string {start:?}{dots}")
        }
        DeValue::Integer(number) => format!("the integer {number}"),
        DeValue::Float(number) => format!("the number {number}"),
        DeValue::Boolean(truth) => format!("{truth}"),
        DeValue::Datetime(time) => format!("the date {time}"),
        DeValue::Array(_) => "an array".into(),
        DeValue::Table(_) => "a table".into(),
    }
}
