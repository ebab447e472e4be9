//! Sine and cosine in `f32` with the results of glibc on Linux: the `gallery` was first generated
//! with these, and correctly rounded ones would change the last bit of a few of its corners.
//!
//! The polynomials are those of Arm's Optimized Routines (sincosf), in `f64`.

use std::f64::consts::FRAC_PI_2;

/// Coefficients of x^3, x^5 and x^7.
const SINE: [f64; 3] = [
    -0.16666654943701084,
    0.008332178146138854,
    -0.00019517298981385725,
];
/// Coefficients of x^2, x^4, x^6 and x^8.
const COSINE: [f64; 4] = [
    -0.49999999725108224,
    0.041666623324344516,
    -0.001388676379437604,
    2.4390450703564542e-05,
];

/// Returns the sine of an angle of magnitude up to a few hundred.
pub(crate) fn sin(angle: f32) -> f32 {
    quarters_after_sine(angle, 0)
}

/// Returns the cosine of an angle of magnitude up to a few hundred.
pub(crate) fn cos(angle: f32) -> f32 {
    quarters_after_sine(angle, 1)
}

/// Returns the sine of the angle plus `quarters` right angles.
fn quarters_after_sine(angle: f32, quarters: i64) -> f32 {
    let angle = f64::from(angle);
    let nearest = (angle / FRAC_PI_2).round();
    let rest = angle - nearest * FRAC_PI_2;
    let quarter = nearest as i64 + quarters;
    let value = match quarter & 1 {
        0 => sine(rest),
        _ => cosine(rest),
    };
    (if quarter & 2 == 0 { value } else { -value }) as f32
}

/// Returns the sine of an angle up to an eighth of a turn.
fn sine(x: f64) -> f64 {
    let x2 = x * x;
    let x3 = x * x2;
    x + x3 * SINE[0] + x3 * x2 * (SINE[1] + x2 * SINE[2])
}

/// Returns the cosine of an angle up to an eighth of a turn.
fn cosine(x: f64) -> f64 {
    let x2 = x * x;
    let x4 = x2 * x2;
    let low = 1.0 + x2 * COSINE[0] + x4 * COSINE[1];
    low + x4 * x2 * (COSINE[2] + x2 * COSINE[3])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_within_a_last_bit() {
        for step in -20_000..20_000i16 {
            let angle = f32::from(step) * 0.01;
            let (sine, cosine) = (libm::sinf(angle), libm::cosf(angle));
            let near = |a: f32, b: f32| (a - b).abs() <= b.abs() * f32::EPSILON;
            assert!(near(sin(angle), sine), "{angle}");
            assert!(near(cos(angle), cosine), "{angle}");
        }
    }
}
