//! Answers in columns.

use super::error::OutputError;
use crate::block::Passed;
use crate::table_format::TableFormat;
use std::ops::Range;
use std::sync::Arc;

/// The answers about consecutive items of a block, as rows in columns.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    /// The items of the block that are answered.
    pub items: Range<usize>,
    /// The item of each row, as an index in the block, ascending; `None` if each item has one row.
    pub item_of_row: Option<Vec<u32>>,
    /// The values of each output column.
    pub columns: Vec<ColumnValues>,
}

/// The values of a column, one for each row.
#[derive(Clone, Debug)]
pub struct ColumnValues {
    /// The values; any where there is none.
    pub values: TypedValues,
    /// Which rows have a value; `None` if all have.
    pub present: Option<Arc<Vec<bool>>>,
}

/// Values of a type.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum TypedValues {
    /// Those of the input: rows, ids or columns passed through.
    Given,
    /// For [`ColumnKind::Flag`](crate::ColumnKind::Flag).
    Flags(Vec<bool>),
    /// For [`ColumnKind::Count`](crate::ColumnKind::Count).
    Counts(Vec<i64>),
    /// For [`ColumnKind::Prim`](crate::ColumnKind::Prim).
    Prims(Vec<u32>),
    /// For [`ColumnKind::Number`](crate::ColumnKind::Number).
    Numbers(Vec<f32>),
    /// For [`ColumnKind::Number64`](crate::ColumnKind::Number64).
    Numbers64(Vec<f64>),
    /// For [`ColumnKind::Vector`](crate::ColumnKind::Vector).
    Vectors(Vec<[f32; 3]>),
    /// For [`ColumnKind::Vector64`](crate::ColumnKind::Vector64).
    Vectors64(Vec<[f64; 3]>),
    /// For [`ColumnKind::Text`](crate::ColumnKind::Text).
    Texts(Texts),
}

/// Many short texts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Texts {
    text: String,
    ends: Vec<usize>,
}

/// Answers with what belongs to their items in the input.
#[derive(Clone, Copy, Debug)]
pub struct AnsweredBlock<'a> {
    /// The row of the block's first item in the input, from 0.
    pub first_row: u64,
    /// The `ray_id` of each item of the block, if the input has that column.
    pub ids: Option<&'a [i64]>,
    /// What is passed through, for each item of the block.
    pub passed: &'a Passed,
    /// The answers.
    pub answers: &'a Answers,
}

impl Texts {
    /// Appends a text.
    pub fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.ends.push(self.text.len());
    }

    /// Returns the number of texts.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns a text; empty if there is none.
    pub fn get(&self, index: usize) -> &str {
        let start = match index.checked_sub(1) {
            Some(before) => self.ends.get(before).copied(),
            None => Some(0),
        };
        match (start, self.ends.get(index)) {
            (Some(start), Some(&end)) => self.text.get(start..end).unwrap_or_default(),
            _ => "",
        }
    }

    /// Appends all texts of another list.
    pub fn append(&mut self, other: &Texts) {
        let before = self.text.len();
        self.text.push_str(&other.text);
        self.ends.extend(other.ends.iter().map(|end| before + end));
    }
}

impl TypedValues {
    fn len(&self) -> usize {
        match self {
            TypedValues::Given => 0,
            TypedValues::Flags(values) => values.len(),
            TypedValues::Counts(values) => values.len(),
            TypedValues::Prims(values) => values.len(),
            TypedValues::Numbers(values) => values.len(),
            TypedValues::Numbers64(values) => values.len(),
            TypedValues::Vectors(values) => values.len(),
            TypedValues::Vectors64(values) => values.len(),
            TypedValues::Texts(values) => values.len(),
        }
    }
}

impl ColumnValues {
    /// Returns a column with a value in each row.
    pub fn all(values: TypedValues) -> Self {
        let present = None;
        ColumnValues { values, present }
    }

    /// Returns whether a row has a value.
    #[inline]
    pub fn is_present(&self, row: usize) -> bool {
        match &self.present {
            None => true,
            Some(present) => present.get(row).copied().unwrap_or(false),
        }
    }

    /// Returns an error if one of these rows has the index of a primitive that is no `i32`.
    pub(super) fn refuse_large_prims(
        &self,
        prims: &[u32],
        mut rows: Range<usize>,
        block: &AnsweredBlock<'_>,
        format: TableFormat,
    ) -> Result<(), OutputError> {
        let is_large = |&row: &usize| prims[row] > i32::MAX as u32 && self.is_present(row);
        match rows.find(is_large) {
            None => Ok(()),
            Some(row) => Err(OutputError::PrimTooLarge {
                format,
                row: block.input_row(block.item(row)),
                prim: prims[row],
            }),
        }
    }
}

impl Answers {
    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        match &self.item_of_row {
            Some(items) => items.len(),
            None => self.items.len(),
        }
    }

    /// Returns whether each column has as many values as there are rows.
    pub(crate) fn is_whole(&self, columns: usize) -> bool {
        let rows = self.rows();
        self.columns.len() == columns
            && self.columns.iter().all(|column| {
                let has_values =
                    matches!(column.values, TypedValues::Given) || column.values.len() == rows;
                has_values && column.present.as_ref().is_none_or(|all| all.len() == rows)
            })
    }
}

impl AnsweredBlock<'_> {
    /// Returns the number of rows of the answers.
    pub fn rows(&self) -> usize {
        self.answers.rows()
    }

    /// Returns the item of a row of the answers, as an index in the block.
    #[inline]
    pub fn item(&self, row: usize) -> usize {
        match &self.answers.item_of_row {
            Some(items) => items.get(row).map_or(0, |&item| item as usize),
            None => self.answers.items.start + row,
        }
    }

    /// Returns the row of an item in the input.
    #[inline]
    pub fn input_row(&self, item: usize) -> u64 {
        self.first_row + item as u64
    }

    /// Returns the `ray_id` of an item: that of the input, else its row.
    #[inline]
    pub fn id(&self, item: usize) -> i64 {
        match self.ids.and_then(|ids| ids.get(item)) {
            Some(&id) => id,
            None => self.input_row(item) as i64,
        }
    }
}
