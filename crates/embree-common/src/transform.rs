//! Transformations of instances.

use crate::abi::format;
use crate::buffer::{View, item_size};
use crate::failure::{Failure, invalid_argument};
use crate::host_pointer::{read_at, write};

/// The rows of an affine transformation from an object to the world.
#[derive(Clone, Copy)]
pub struct Transform(pub [[f64; 4]; 3]);

impl Transform {
    pub const IDENTITY: Self = Transform([
        [1.0, 0.0, 0.0, 0.0],
        [0.0, 1.0, 0.0, 0.0],
        [0.0, 0.0, 1.0, 0.0],
    ]);

    /// Returns the transformation whose numbers `number` returns by their place in a format.
    fn of(of: u32, number: impl Fn(usize) -> f32) -> Result<Self, Failure> {
        if of == format::QUATERNION_DECOMPOSITION {
            return Ok(Self::of_decomposition(std::array::from_fn(|place| {
                number(place).into()
            })));
        }
        let place = place_of(of)?;
        let row = |row| std::array::from_fn(|column| f64::from(number(place(row, column))));
        Ok(Transform(std::array::from_fn(row)))
    }

    /// Returns the transformation in memory of the host.
    pub fn of_host(of: u32, from: *const f32) -> Result<Self, Failure> {
        if from.is_null() {
            return Err(invalid_argument(
                "a transformation is NULL; pass the address of its numbers",
            ));
        }
        item_size(of)?;
        Self::of(of, |place| read_at(from, place).unwrap_or(0.0))
    }

    /// Returns the transformation at a place of a buffer.
    pub fn of_view(view: &View, index: usize) -> Result<Self, Failure> {
        Self::of(view.format, |place| view.floats::<1>(index, place)[0])
    }

    /// Writes the transformation to memory of the host.
    pub fn write(&self, of: u32, to: *mut f32) -> Result<(), Failure> {
        let place = place_of(of)?;
        for (row, numbers) in self.0.into_iter().enumerate() {
            for (column, x) in numbers.into_iter().enumerate() {
                write(to, place(row, column), x as f32);
            }
        }
        if matches!(
            of,
            format::FLOAT4X4_COLUMN_MAJOR | format::FLOAT4X4_ROW_MAJOR
        ) {
            for column in 0..4 {
                write(to, place(3, column), if column == 3 { 1.0 } else { 0.0 });
            }
        }
        Ok(())
    }

    /// Returns T R S of the numbers of an `RTCQuaternionDecomposition`, rounded a few times to `f64`: a scale, a skew and a
    /// shift, which make an upper triangular matrix; a quaternion of any length; a translation.
    fn of_decomposition(numbers: [f64; 16]) -> Self {
        let [sx, sy, sz, xy, xz, yz, hx, hy, hz, r, i, j, k, tx, ty, tz] = numbers;
        let norm = r * r + i * i + j * j + k * k;
        let two = 2.0 / norm;
        let rotation = [
            [
                1.0 - two * (j * j + k * k),
                two * (i * j - k * r),
                two * (i * k + j * r),
            ],
            [
                two * (i * j + k * r),
                1.0 - two * (i * i + k * k),
                two * (j * k - i * r),
            ],
            [
                two * (i * k - j * r),
                two * (j * k + i * r),
                1.0 - two * (i * i + j * j),
            ],
        ];
        let scale = [[sx, xy, xz, hx], [0.0, sy, yz, hy], [0.0, 0.0, sz, hz]];
        let translation = [tx, ty, tz];
        let entry = |row: usize, column: usize| {
            let sum: f64 = (0..3).map(|i| rotation[row][i] * scale[i][column]).sum();
            if column == 3 {
                sum + translation[row]
            } else {
                sum
            }
        };
        Transform(std::array::from_fn(|row| {
            std::array::from_fn(|column| entry(row, column))
        }))
    }

    /// Returns the inverse, rounded; `None` if there is none.
    pub fn inverse(&self) -> Option<Self> {
        let [a, b, c] = self.0;
        let cross = |a: [f64; 4], b: [f64; 4]| {
            [
                a[1] * b[2] - a[2] * b[1],
                a[2] * b[0] - a[0] * b[2],
                a[0] * b[1] - a[1] * b[0],
            ]
        };
        let columns = [cross(b, c), cross(c, a), cross(a, b)];
        let det = (0..3).map(|i| a[i] * columns[0][i]).sum::<f64>();
        let linear = |row: usize| columns.map(|column| column[row] / det);
        let moved = [a[3], b[3], c[3]];
        let rows = std::array::from_fn(|row| {
            let [x, y, z] = linear(row);
            [x, y, z, -(x * moved[0] + y * moved[1] + z * moved[2])]
        });
        (det != 0.0 && det.is_finite()).then_some(Transform(rows))
    }

    /// Returns the image of a point, or of a direction.
    pub fn apply(&self, [x, y, z]: [f64; 3], is_point: bool) -> [f64; 3] {
        let one = if is_point { 1.0 } else { 0.0 };
        self.0.map(|[a, b, c, d]| a * x + b * y + c * z + d * one)
    }

    /// Returns the transformation of such columns.
    pub fn of_columns(columns: &[f32; 16]) -> Self {
        let row = |row| std::array::from_fn(|column| f64::from(columns[4 * column + row]));
        Transform(std::array::from_fn(row))
    }

    /// Returns a bound of what lengths are multiplied by.
    pub fn longest(&self) -> f32 {
        let squares = self.0.iter().flat_map(|row| &row[..3]).map(|x| x * x);
        (squares.sum::<f64>().sqrt() as f32).next_up()
    }

    /// Returns the columns as Embree's contexts of point queries have them.
    pub fn columns(&self) -> [f32; 16] {
        std::array::from_fn(|place| match (place % 4, place / 4) {
            (3, column) => {
                if column == 3 {
                    1.0
                } else {
                    0.0
                }
            }
            (row, column) => self.0[row][column] as f32,
        })
    }

    /// Returns by which factor all lengths are multiplied, if it is the same for all of them but for rounding; else 0.
    pub fn similarity(&self) -> f32 {
        let columns: [[f64; 3]; 3] = std::array::from_fn(|column| self.0.map(|row| row[column]));
        let dot = |a: [f64; 3], b: [f64; 3]| (0..3).map(|i| a[i] * b[i]).sum::<f64>();
        let squares = columns.map(|column| dot(column, column));
        let [x, y, z] = columns;
        let is_similarity = [
            dot(x, y),
            dot(x, z),
            dot(y, z),
            squares[1] - squares[0],
            squares[2] - squares[0],
        ]
        .into_iter()
        .all(|off| off.abs() <= 1e-5 * squares[0]);
        if is_similarity {
            squares[0].sqrt() as f32
        } else {
            0.0
        }
    }
}

/// Returns the function that tells at which place a format has the number of a row and a column.
fn place_of(of: u32) -> Result<fn(usize, usize) -> usize, Failure> {
    match of {
        format::FLOAT3X4_ROW_MAJOR | format::FLOAT4X4_ROW_MAJOR => {
            Ok(|row, column| 4 * row + column)
        }
        format::FLOAT3X4_COLUMN_MAJOR => Ok(|row, column| 3 * column + row),
        format::FLOAT4X4_COLUMN_MAJOR => Ok(|row, column| 4 * column + row),
        _ => Err(invalid_argument(format!(
            "a transformation of the format {of:#x}; pass RTC_FORMAT_FLOAT3X4_ROW_MAJOR, FLOAT3X4_COLUMN_MAJOR, \
             FLOAT4X4_COLUMN_MAJOR or FLOAT4X4_ROW_MAJOR"
        ))),
    }
}
