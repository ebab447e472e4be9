//! Hashes of numbers, to tell whether two inputs are the same.

use estoc::Ray;

/// Returns the FNV-1a hash of the numbers, taken one number at a time.
pub(super) fn of(numbers: impl IntoIterator<Item = f32>) -> String {
    let hash = numbers
        .into_iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, x| {
            (hash ^ u64::from(x.to_bits())).wrapping_mul(0x0000_0100_0000_01b3)
        });
    format!("{hash:016x}")
}

pub(super) fn of_rays(rays: &[Ray]) -> String {
    of(rays.iter().flat_map(|ray| {
        let [o, d] = [ray.origin, ray.dir].map(|v| v.to_array());
        [o[0], o[1], o[2], d[0], d[1], d[2], ray.t_min, ray.t_max]
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_and_the_order_count() {
        let one = of([0.0, 1.0]);
        assert_eq!(one, of([0.0, 1.0]));
        for other in [of([1.0, 0.0]), of([-0.0, 1.0]), of([0.0]), of([])] {
            assert_ne!(one, other);
        }
    }
}
