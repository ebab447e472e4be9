//! The numbers of a ray, as expressions.

use crate::{MeshNumbers, RaycastError};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Column, ExprSchema, Result, ScalarValue};
use datafusion::logical_expr::{Expr, ExprSchemable, cast, lit};

/// The names of the numbers of a ray, in their order; the last one or three may be absent.
pub(crate) const RAY_ARGUMENTS: [&str; 9] = [
    "ox",
    "oy",
    "oz",
    "dx",
    "dy",
    "dz",
    "tmin",
    "tmax",
    MASK_ARGUMENT,
];

/// The place of the mask among these.
pub(crate) const MASK_PLACE: usize = 8;

const MASK_ARGUMENT: &str = "mask";

/// Checks that a ray can have this many numbers.
///
/// # Errors
/// [`RaycastError::ArgumentCount`], which counts the mesh, too.
pub(crate) fn check_count(numbers: usize) -> Result<(), RaycastError> {
    match numbers {
        6 | 8 | 9 => Ok(()),
        _ => Err(RaycastError::ArgumentCount { found: numbers + 1 }),
    }
}

/// Returns the type that the number at a place has in an operator at a mesh of these numbers.
pub(crate) fn type_at(place: usize, numbers: MeshNumbers) -> DataType {
    match place {
        MASK_PLACE => DataType::Int64,
        _ => numbers.data_type(),
    }
}

/// Checks that a type holds numbers that are rounded once, if at all, or masks.
///
/// # Errors
/// [`RaycastError::NotANumber`] for texts, decimals, which would be rounded twice, and others;
/// [`RaycastError::NotAMask`].
pub(crate) fn check_number(argument: &'static str, found: &DataType) -> Result<(), RaycastError> {
    let is_real = matches!(found, DataType::Float32 | DataType::Float64);
    match argument {
        _ if found.is_integer() || found.is_null() => Ok(()),
        MASK_ARGUMENT => Err(RaycastError::NotAMask {
            found: found.clone(),
        }),
        _ if is_real => Ok(()),
        _ => Err(RaycastError::NotANumber {
            argument,
            found: found.clone(),
        }),
    }
}

/// Returns the expressions of a ray as numbers of the mesh, to which others are rounded, and the mask as an `i64`.
///
/// # Errors
/// [`RaycastError::ArgumentCount`], [`RaycastError::NotANumber`], [`RaycastError::NotAMask`],
/// [`RaycastError::Correlated`].
pub(crate) fn as_ray(
    rays: Vec<Expr>,
    numbers: MeshNumbers,
    schema: &dyn ExprSchema,
) -> Result<Vec<Expr>> {
    check_count(rays.len())?;
    let as_number = |(place, number): (usize, Expr)| {
        let argument = RAY_ARGUMENTS[place];
        if number.contains_outer() {
            let argument = number.to_string();
            return Err(RaycastError::Correlated { argument }.into());
        }
        let found = number.get_type(schema)?;
        check_number(argument, &found)?;
        let wanted = type_at(place, numbers);
        Ok(if found == wanted {
            number
        } else {
            cast(number, wanted)
        })
    };
    rays.into_iter().enumerate().map(as_number).collect()
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
    mask: Option<String>,
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
            mask: None,
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

    /// Uses a column of integers for the mask of each ray, 32 bits, signed or not: the ray sees only triangles that
    /// share a bit with it. Null is all bits, as without a column; a number beyond 32 bits fails the query.
    #[must_use]
    pub fn mask(mut self, mask: &str) -> Self {
        self.mask = Some(mask.to_owned());
        self
    }

    /// Sets a text that the names of the answers begin with.
    #[must_use]
    pub fn prefix(mut self, prefix: &str) -> Self {
        prefix.clone_into(&mut self.prefix);
        self
    }

    /// Returns the names of the columns of the ray itself, six or eight.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the name of an answer with this prefix.
    pub fn answer(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    /// Returns the numbers of the rays as expressions: six, eight, or nine with the mask.
    pub fn expressions(&self) -> Vec<Expr> {
        let column = |name: &String| Expr::Column(Column::from_name(name));
        let mut numbers: Vec<Expr> = self.names.iter().map(column).collect();
        if let Some(mask) = &self.mask {
            // Bounds that are null have their defaults.
            numbers.resize(MASK_PLACE, lit(ScalarValue::Float32(None)));
            numbers.push(column(mask));
        }
        numbers
    }
}
