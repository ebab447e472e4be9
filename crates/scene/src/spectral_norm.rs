//! How much a matrix may stretch a vector.

use estoc_core::InlineMap;

type MatrixRow = [f64; 3];

/// Returns an upper bound of the largest factor by which a matrix of these rows stretches a vector;
/// infinite where numbers are beyond 1e+-300.
///
/// # Bound
/// Entries must be finite. Let C be the rows divided by a power of two, so that the size of their largest
/// entry is from 1 to 2. The factor squared is the largest eigenvalue of `G = C C^T`, which no sum of the
/// sizes of a row of G is below, and to the power k neither of G^k. For a rotation with a uniform scale,
/// the largest sum of G is that eigenvalue. For others, the sums of G^8 are at most sqrt(3) times its
/// eigenvalue, so the factor is at most 3.5 % too large. Entries of G are at most its eigenvalue, which is
/// at least 1, and those of its powers at most that to the same power. They are sums of three such
/// products, and their errors add up to less than 10^4 roundings; 2^-36 is granted.
pub(crate) fn spectral_norm(rows: [MatrixRow; 3]) -> f64 {
    const MORE: f64 = 1.0 + 65_536.0 * f64::EPSILON;
    let entries = rows.iter().flatten();
    let largest = entries.fold(0.0, |most, x| f64::max(most, x.abs()));
    // A power of two, so that nothing is rounded.
    let exponent = (largest.to_bits() >> 52) as i32 - 1023;
    if !(-1000..=1000).contains(&exponent) {
        return f64::INFINITY;
    }
    let power = |exponent: i32| f64::from_bits(((1023 + exponent) as u64) << 52);
    let scaled = rows.inline_map(|row| row.inline_map(|x| x * power(-exponent)));
    let square = products(scaled, scaled);
    let sum = largest_sum(square);
    let diagonal = square[0][0].max(square[1][1]).max(square[2][2]);
    // No eigenvalue is the largest that is below an entry of the diagonal.
    let bound = match sum <= diagonal * 1.03 {
        true => sum,
        false => {
            let fourth = products(square, square);
            let eighth = products(fourth, fourth);
            let sixteenth = products(eighth, eighth);
            largest_sum(sixteenth).sqrt().sqrt().sqrt()
        }
    };
    bound.sqrt() * MORE * power(exponent)
}

/// Returns `A B^T`.
fn products(a: [MatrixRow; 3], b: [MatrixRow; 3]) -> [MatrixRow; 3] {
    let entry = |x: MatrixRow, y: MatrixRow| x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
    a.inline_map(|row| b.inline_map(|other| entry(row, other)))
}

/// Returns the largest sum of the sizes of a row.
fn largest_sum(a: [MatrixRow; 3]) -> f64 {
    let sums = a.inline_map(|[x, y, z]| x.abs() + y.abs() + z.abs());
    sums[0].max(sums[1]).max(sums[2])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No vector is stretched more, and rotations and scales lose next to nothing.
    #[test]
    fn no_vector_is_stretched_more() {
        let mut state = 0x9e37_79b9_7f4a_7c15u64;
        let mut number = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        };
        let mut tight = 0;
        for round in 0..2_000 {
            let scale = 10f64.powi(round % 280 - 140);
            let mut rows = [[(); 3]; 3].map(|row| row.map(|()| number() * scale));
            if round % 4 == 1 {
                let row = rows[0];
                rows[1] = row.map(|x| x * 0.5 + number() * scale * 1e-9);
            }
            let norm = spectral_norm(rows);
            let mut best = 0.0f64;
            let mut v = [(); 3].map(|()| number());
            // The power method finds the largest.
            for _ in 0..60 {
                let length = |v: MatrixRow| (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
                let size = length(v);
                let unit = v.map(|x| x / size);
                let image = rows.map(|r| r[0] * unit[0] + r[1] * unit[1] + r[2] * unit[2]);
                let image = image.map(|x| x / scale);
                best = best.max(length(image));
                v = [0, 1, 2].map(|k| (0..3).map(|i| rows[i][k] / scale * image[i]).sum());
            }
            assert!(best * scale <= norm, "{rows:?} {best} {norm}");
            assert!(norm <= best * scale * 1.036, "{rows:?} {best} {norm}");
            tight += usize::from(norm <= best * scale * 1.001);
        }
        assert!(tight > 0);
        let (sin, cos) = 0.3f64.sin_cos();
        let turned = [
            [cos * 5.0, -sin * 5.0, 0.0],
            [sin * 5.0, cos * 5.0, 0.0],
            [0.0, 0.0, -5.0],
        ];
        let norm = spectral_norm(turned);
        assert!((5.0..5.000_000_001).contains(&norm), "{norm}");
        assert!(!spectral_norm([[f64::NAN; 3]; 3]).is_finite());
        assert_eq!(spectral_norm([[f64::MAX; 3]; 3]), f64::INFINITY);
        assert_eq!(spectral_norm([[f64::from_bits(1); 3]; 3]), f64::INFINITY);
    }
}
