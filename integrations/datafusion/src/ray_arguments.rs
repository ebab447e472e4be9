//! The numbers of a ray, as expressions.

use crate::RaycastError;
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Column, ExprSchema, Result};
use datafusion::logical_expr::{Expr, ExprSchemable, cast};

/// The names of the numbers of a ray, in their order; the last two may be absent.
pub(crate) const RAY_ARGUMENTS: [&str; 8] = ["ox", "oy", "oz", "dx", "dy", "dz", "tmin", "tmax"];

/// Checks that a type holds numbers that are rounded to `f32` once.
///
/// # Errors
/// [`RaycastError::NotANumber`] for texts, decimals, which would be rounded twice, and others.
pub(crate) fn check_number(argument: &'static str, found: &DataType) -> Result<(), RaycastError> {
    if found.is_integer()
        || matches!(
            found,
            DataType::Float32 | DataType::Float64 | DataType::Null
        )
    {
        return Ok(());
    }
    Err(RaycastError::NotANumber {
        argument,
        found: found.clone(),
    })
}

/// Returns the expressions of a ray as numbers of `f32`, to which `f64` and integers are rounded.
///
/// # Errors
/// [`RaycastError::ArgumentCount`], [`RaycastError::NotANumber`], [`RaycastError::Correlated`].
pub(crate) fn as_ray(numbers: Vec<Expr>, schema: &dyn ExprSchema) -> Result<Vec<Expr>> {
    if !matches!(numbers.len(), 6 | 8) {
        return Err(RaycastError::ArgumentCount {
            found: numbers.len() + 1,
        }
        .into());
    }
    let as_number = |(argument, number): (&'static str, Expr)| {
        if number.contains_outer() {
            let argument = number.to_string();
            return Err(RaycastError::Correlated { argument }.into());
        }
        let found = number.get_type(schema)?;
        check_number(argument, &found)?;
        Ok(if found == DataType::Float32 {
            number
        } else {
            cast(number, DataType::Float32)
        })
    };
    RAY_ARGUMENTS
        .into_iter()
        .zip(numbers)
        .map(as_number)
        .collect()
}

/// The columns that rays are made of, and the names of the answers.
///
/// ```
/// use estoc_datafusion::RayColumns;
/// let columns = RayColumns::default().interval("tmin", "tmax").prefix("hit_");
/// assert_eq!(columns.names(), ["ox", "oy", "oz", "dx", "dy", "dz", "tmin", "tmax"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RayColumns {
    names: Vec<String>,
    prefix: String,
}

impl Default for RayColumns {
    /// The columns `ox`, `oy`, `oz`, `dx`, `dy` and `dz`, and answers `t`, `prim`, `u` and `v`.
    fn default() -> Self {
        let [ox, oy, oz, dx, dy, dz, ..] = RAY_ARGUMENTS;
        RayColumns::new([ox, oy, oz, dx, dy, dz])
    }
}

impl RayColumns {
    /// Uses six columns: three of the origin and three of the direction.
    pub fn new(names: [&str; 6]) -> Self {
        RayColumns {
            names: names.map(str::to_owned).to_vec(),
            prefix: String::new(),
        }
    }

    /// Uses two more columns, for the interval of each ray; without them it is 0 to infinity.
    #[must_use]
    pub fn interval(mut self, tmin: &str, tmax: &str) -> Self {
        self.names.truncate(6);
        self.names.extend([tmin.to_owned(), tmax.to_owned()]);
        self
    }

    /// Sets a text that the names of the answers begin with.
    #[must_use]
    pub fn prefix(mut self, prefix: &str) -> Self {
        prefix.clone_into(&mut self.prefix);
        self
    }

    /// Returns the names of the columns, six or eight.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the name of an answer with this prefix.
    pub fn answer(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    /// Returns the columns as expressions.
    pub fn expressions(&self) -> Vec<Expr> {
        self.names
            .iter()
            .map(|name| Expr::Column(Column::from_name(name)))
            .collect()
    }
}
