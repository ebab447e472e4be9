//! Colours: linear light and sRGB.
//!
//! Colours are mixed as linear light and shown as sRGB (IEC 61966-2-1). Powers come from `libm`, so
//! that a picture has the same bytes on every machine.

use estoc::glam::Vec3;
use std::sync::LazyLock;

/// Converts linear light, from 0 to 1 per channel, to sRGB.
pub(crate) fn shown(light: Vec3) -> [u8; 3] {
    light.to_array().map(|x| STEPS.byte(x))
}

/// Converts a channel by the formula.
fn shown_channel(x: f32) -> u8 {
    let x = x.clamp(0.0, 1.0);
    let x = if x <= 0.003_130_8 {
        12.92 * x
    } else {
        1.055 * libm::powf(x, 1.0 / 2.4) - 0.055
    };
    (x * 255.0 + 0.5) as u8
}

/// The light at which each byte begins: a search for it is several times as fast as the formula, with the
/// same bytes.
static STEPS: LazyLock<Steps> = LazyLock::new(Steps::new);

struct Steps {
    /// The least light that is shown as each byte, and infinity after the last one.
    least: [f32; 257],
    /// For the first bits of a number, the byte of the least number that begins with them.
    first: Vec<u8>,
}

impl Steps {
    /// The bits of a number that are not looked up: sign, exponent and six more are.
    const REST: u32 = 17;

    fn new() -> Self {
        let one = 1f32.to_bits();
        let mut least = [f32::INFINITY; 257];
        least[0] = 0.0;
        for byte in 1..=255u8 {
            // The bits of positive numbers are in the order of the numbers.
            let (mut below, mut at) = (0, one);
            while at - below > 1 {
                let middle = below + (at - below) / 2;
                match shown_channel(f32::from_bits(middle)) < byte {
                    true => below = middle,
                    false => at = middle,
                }
            }
            least[usize::from(byte)] = f32::from_bits(at);
        }
        let groups = 0..=one >> Self::REST;
        let first = groups.map(|group| shown_channel(f32::from_bits(group << Self::REST)));
        Steps {
            least,
            first: first.collect(),
        }
    }

    fn byte(&self, x: f32) -> u8 {
        // NaN becomes 0, as it does in the formula.
        let x = x.clamp(0.0, 1.0).max(0.0);
        let group = (x.to_bits() >> Self::REST) as usize & 0x3fff;
        let mut byte = self.first.get(group).copied().unwrap_or(0);
        while x >= self.least[usize::from(byte) + 1] {
            byte += 1;
        }
        byte
    }
}

/// Converts sRGB to linear light; the inverse of [`shown`].
pub(crate) fn light(shown: [u8; 3]) -> Vec3 {
    let light = shown.map(|byte| {
        let x = f32::from(byte) / 255.0;
        if x <= 0.040_45 {
            x / 12.92
        } else {
            libm::powf((x + 0.055) / 1.055, 2.4)
        }
    });
    Vec3::from_array(light)
}

/// A colour ramp for numbers from 0 to 1.
pub(crate) struct Ramp(Vec<Vec3>);

impl Ramp {
    const STEPS: usize = 256;

    /// Creates a ramp from a part of a gradient; its ends are the colours of 0 and 1.
    pub(crate) fn new(gradient: colorous::Gradient, ends: [f64; 2]) -> Self {
        let [from, to] = ends;
        let colour = |i| {
            let share = i as f64 / (Self::STEPS - 1) as f64;
            let colour = gradient.eval_continuous(from + share * (to - from));
            light([colour.r, colour.g, colour.b])
        };
        Ramp((0..Self::STEPS).map(colour).collect())
    }

    /// Returns the colour of a number; numbers outside 0 to 1, and NaN, get the colour of an end.
    pub(crate) fn at(&self, x: f32) -> Vec3 {
        let place = x.clamp(0.0, 1.0).max(0.0) * (Self::STEPS - 1) as f32;
        let below = place as usize;
        let above = (below + 1).min(Self::STEPS - 1);
        self.0[below].lerp(self.0[above], place - below as f32)
    }
}

/// Hashes a number by the finaliser of SplitMix64 (Steele, Lea and Flood 2014).
pub(crate) fn scattered(number: u64) -> u64 {
    let mut h = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    h = (h ^ (h >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    h = (h ^ (h >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    h ^ (h >> 31)
}

/// Returns a colour that differs from those of neighbouring numbers: similar in brightness, spread
/// in hue, and as saturated as `strength`, from 0 to 1.
pub(crate) fn of_number(number: u64, strength: f32) -> Vec3 {
    let h = scattered(number);
    let part = |shift: u32| (h >> shift & 0xffff) as f32 / 65536.0;
    let (hue, brightness) = (part(0), 0.6 + 0.35 * part(32));
    // Hue around the circle of the three channels.
    let channel = |third: f32| {
        let from = (hue + third).fract();
        let rise = ((from * 6.0 - 3.0).abs() - 1.0).clamp(0.0, 1.0);
        brightness * (1.0 - strength + strength * rise)
    };
    Vec3::new(channel(0.0), channel(2.0 / 3.0), channel(1.0 / 3.0)).map(|x| x * x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shown_and_light_are_inverse() {
        for byte in 0..=255 {
            let grey = [byte, 255 - byte, byte / 2];
            assert_eq!(shown(light(grey)), grey);
        }
        assert_eq!(shown(Vec3::new(-1.0, 2.0, f32::NAN)), [0, 255, 0]);
    }

    /// Near each step, where the rounding of a power could let bytes fall again, and between them.
    #[test]
    fn steps_are_those_of_the_formula() {
        for least in &STEPS.least[1..256] {
            let bits = least.to_bits();
            for bits in bits - 2000..=bits + 2000 {
                let x = f32::from_bits(bits);
                assert_eq!(STEPS.byte(x), shown_channel(x), "{x}");
            }
        }
        for bits in (0..=1f32.to_bits()).step_by(9973) {
            let x = f32::from_bits(bits);
            assert_eq!(STEPS.byte(x), shown_channel(x), "{x}");
        }
        for x in [
            -0.0,
            -1.0,
            1.0,
            2.0,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::NAN,
            -f32::NAN,
            1e-45,
        ] {
            assert_eq!(STEPS.byte(x), shown_channel(x), "{x}");
        }
    }

    #[test]
    fn ramps_end_where_they_should() {
        let ramp = Ramp::new(colorous::INFERNO, [0.0, 1.0]);
        assert_eq!(ramp.at(-1.0), ramp.at(0.0));
        assert_eq!(ramp.at(f32::NAN), ramp.at(0.0));
        assert_eq!(ramp.at(2.0), ramp.at(1.0));
        assert!(ramp.at(0.2).length() < ramp.at(0.8).length());
    }
}
