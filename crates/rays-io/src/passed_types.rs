//! The types of columns that are passed through.

/// The types of the columns that an input passes through, for writing them as Parquet; from
/// [`Input::passed_types`](crate::Input::passed_types).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PassedTypes(#[cfg(feature = "parquet")] pub(crate) Vec<arrow_schema::DataType>);
