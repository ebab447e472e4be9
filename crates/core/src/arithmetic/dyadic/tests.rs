use super::*;
use crate::arithmetic::Numbers;
use num_bigint::{BigInt, Sign};
use num_traits::{Signed, ToPrimitive};
use std::vec::Vec;

/// The unit of `big`: 2^-UNIT divides every product of seven `f32`s.
const UNIT: i32 = 7 * 149;

/// Returns the number in units of 2^-UNIT.
fn big(x: &Dyadic) -> BigInt {
    let bytes: Vec<u8> = x
        .digits
        .iter()
        .flat_map(|digit| digit.to_le_bytes())
        .collect();
    let sign = if x.negative { Sign::Minus } else { Sign::Plus };
    assert_ne!(x.digits.last(), Some(&0));
    let size = BigInt::from_bytes_le(sign, &bytes);
    match u32::try_from(x.exponent + UNIT) {
        Ok(places) => size << places,
        Err(_) => panic!("below the unit: {x:?}"),
    }
}

fn big_f32(x: f32) -> BigInt {
    let bits = x.to_bits();
    let exponent = bits >> 23 & 0xff;
    let size = bits & 0x7f_ffff | u32::from(exponent > 0) << 23;
    let size = BigInt::from(size) << (exponent.max(1) - 1 + (UNIT as u32 - 149));
    if x < 0.0 { -size } else { size }
}

/// Returns a deterministic stream of `f32`s of every exponent, some with few bits.
fn numbers() -> impl Iterator<Item = f32> {
    let mut state = 0x9e37_79b9_u32;
    core::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        let few = if state & 64 == 0 {
            0xfff0_0000
        } else {
            u32::MAX
        };
        f32::from_bits(state & few)
    })
    .filter(|x| x.is_finite())
}

#[test]
fn sums_and_differences_are_exact() {
    let mut n = numbers();
    for _ in 0..2000 {
        let [a, b, c, d] = core::array::from_fn(|_| n.next().unwrap());
        let of = |a: f32, b: f32| Dyadic::difference(a.into(), b.into());
        let (e, f) = (of(a, b), of(c, d));
        let (big_e, big_f) = (big_f32(a) - big_f32(b), big_f32(c) - big_f32(d));
        assert_eq!(big(&e), big_e);
        assert_eq!(e.cmp(&f), big_e.cmp(&big_f));
        assert_eq!(e.cmp(&e), Ordering::Equal);
        assert_eq!(big(&e.add(&f)), &big_e + &big_f);
        assert_eq!(big(&e.sub(&f)), &big_e - &big_f);
        assert_eq!(big(&e.clone().neg()), -big_e);
        assert_eq!(e.add(&f).sub(&e).sub(&f).sign(), 0);
        let zero = Dyadic::from_f64(-0.0);
        assert_eq!(big(&zero.sub(&e)), -big(&e));
        assert_eq!(big(&e.add(&zero)), big(&e));
    }
}

#[test]
fn products_are_exact_at_any_size() {
    let mut n = numbers();
    for _ in 0..300 {
        let mut factor = || {
            let [a, b] = core::array::from_fn(|_| n.next().unwrap());
            let exact = Dyadic::difference(a.into(), b.into());
            (exact, big_f32(a) - big_f32(b))
        };
        let factors: [_; 7] = core::array::from_fn(|_| factor());
        let mut product = Dyadic::from_f64(1.0);
        let mut truth = BigInt::from(1);
        for (exact, big) in &factors {
            product = product.mul(exact);
            truth *= big;
        }
        // Each of the seven was in units.
        assert_eq!(big(&product) << (6 * UNIT as usize), truth);
        assert_eq!(
            i64::from(product.sign()),
            i64::try_from(truth.signum()).unwrap()
        );
        let (estimate, back) = (product.estimate(), Dyadic::from_f64(product.estimate()));
        let off = big(&product.sub(&back)).abs();
        assert!(off << 51 <= big(&product).abs(), "{estimate}");
    }
}

#[test]
fn extremes_neither_overflow_nor_vanish() {
    let widest = Dyadic::difference(f32::MAX.into(), (-f32::MAX).into());
    let least = Dyadic::from_f64(f32::from_bits(1).into());
    let seventh = |x: &Dyadic| (0..6).fold(x.clone(), |product, _| product.mul(x));
    assert!(seventh(&widest).estimate().is_finite());
    assert_eq!(seventh(&least).estimate(), f64::from_bits(1 << 31)); // 2^-1043
    assert_eq!(seventh(&widest.sub(&least)).sign(), 1);
    let far = seventh(&seventh(&widest));
    assert_eq!((far.sign(), far.estimate().is_finite()), (1, true));
    assert_eq!(seventh(&seventh(&least)).sign(), 1);
}

/// Returns an integer of up to `most` digits, with long runs of zeros and ones.
fn integer(numbers: &mut Numbers, most: u64) -> Dyadic {
    let len = (numbers.next() >> 8) % (most + 1);
    let mut number = Dyadic::zero();
    number
        .digits
        .extend((0..len).map(|_| match (numbers.next() >> 7) % 4 {
            0 => 0,
            1 => u64::MAX,
            2 => 1 << (numbers.next() >> 32 & 63),
            _ => numbers.next(),
        }));
    finish(&mut number.digits);
    number.negative = numbers.next() >> 9 & 1 == 1;
    number
}

/// Returns the number times `2^places`.
fn shifted(number: &Dyadic, places: i32) -> Dyadic {
    let mut shifted = number.clone();
    shifted.exponent += places;
    shifted
}

fn same(found: &Dyadic, truth: &BigInt, what: &str) {
    assert_eq!(big(found), truth << UNIT as usize, "{what}");
    let sign = truth.signum().to_i32().unwrap();
    assert_eq!(found.sign(), sign, "{what}");
    if sign != 0 {
        assert_eq!(found.top() as u64, truth.bits(), "{what}");
    }
}

#[test]
fn all_operations_equal_those_of_big_integers() {
    let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
    let mut carried = 0;
    for round in 0..60_000 {
        let (a, mut b) = (integer(&mut numbers, 20), integer(&mut numbers, 20));
        if round % 8 == 0 {
            b = a.clone();
        }
        let places = (numbers.next() >> 20) as usize % 300;
        let (x, y) = (big(&a) >> UNIT as usize, big(&b) >> UNIT as usize);
        same(&a.add(&b), &(&x + &y), "sum");
        same(&a.sub(&b), &(&x - &y), "difference");
        same(&a.mul(&b), &(&x * &y), "product");
        same(&a.square(), &(&x * &x), "square");
        same(&a.clone().neg(), &-&x, "negated");
        assert_eq!(a.cmp(&b), x.cmp(&y));
        assert_eq!(a.cmp(&a), Ordering::Equal);
        let (wide, wide_x) = (shifted(&a, places as i32), &x << places);
        same(&wide, &wide_x, "shifted");
        same(&wide.add(&b), &(&wide_x + &y), "sum with another exponent");
        same(
            &b.sub(&wide),
            &(&y - &wide_x),
            "difference with another exponent",
        );
        assert_eq!(wide.cmp(&b), wide_x.cmp(&y));
        assert_eq!(b.cmp(&wide), y.cmp(&wide_x));
        carried += usize::from(a.add(&b).digits.len() > a.digits.len().max(b.digits.len()));
    }
    assert!(carried > 100, "{carried}");
}

#[test]
fn small_ones_are_what_they_seem() {
    for x in [0, 1, -1, 7, i64::MAX, i64::MIN] {
        let square = i128::from(x) * i128::from(x);
        same(&Dyadic::from_i128(x.into(), 0), &x.into(), "i64");
        same(
            &Dyadic::from_i128(-square, 0),
            &BigInt::from(-square),
            "i128",
        );
        same(
            &Dyadic::from_i128(square, 9),
            &(BigInt::from(square) << 9),
            "units",
        );
    }
    assert_eq!(
        Dyadic::from_i128(0, 5).cmp(&Dyadic::from_f64(-0.0)),
        Ordering::Equal
    );
    assert_eq!(
        Dyadic::from_i128(3, -1).cmp(&Dyadic::from_f64(1.5)),
        Ordering::Equal
    );
}

#[test]
fn numbers_up_to_1024_bits_stay_inline() {
    let unit = Dyadic::from_f64(1.0);
    // With all of its digits.
    let power = |bits: usize| {
        let mut power = Dyadic::zero();
        shift(&mut power.digits, &[1], bits - 1);
        power
    };
    let most = |bits: usize| power(bits + 1).sub(&unit);
    for bits in 1..1023 {
        let top = most(bits).mul(&most(1024 - bits));
        assert!(top.bits() >= 1023, "{bits}");
        assert!(!top.digits.spilled(), "{bits}");
        assert!(!power(1024).sub(&top).digits.spilled());
        assert!(!power(1023).add(&power(bits)).digits.spilled());
    }
    assert!(power(1024).add(&power(1024)).digits.spilled());
    assert!(power(1024).mul(&power(2)).digits.spilled());
}

#[test]
fn the_nearest_f64_is_a_neighbour() {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    for _ in 0..20_000 {
        let a = integer(&mut numbers, 9);
        let (size, exponent) = a.to_f64_and_exponent();
        assert_eq!(size == 0.0, a.sign() == 0);
        if a.sign() == 0 {
            continue;
        }
        assert!((1.0..=2.0).contains(&size.abs()) && size.signum() as i32 == a.sign());
        // size 2^exponent against a, both times 2^60.
        let found = BigInt::from((size * 2f64.powi(60)) as i64) << exponent as usize;
        let truth: BigInt = (big(&a) >> UNIT as usize) << 60;
        let off: BigInt = found - &truth;
        assert!(off.abs() << 52 <= truth.abs(), "{a:?}");
    }
}

#[test]
fn the_nearest_f64_is_found_at_every_size() {
    let tiny = f64::from_bits(1);
    let of = |parts: &[(f64, f64)]| {
        let products = parts
            .iter()
            .map(|&(a, b)| Dyadic::from_f64(a).mul(&Dyadic::from_f64(b)));
        products
            .fold(Dyadic::from_f64(0.0), |sum, product| sum.add(&product))
            .to_f64()
    };
    for x in [
        0.0,
        1.0,
        -1.5,
        tiny,
        -tiny,
        f64::MAX,
        f64::MIN_POSITIVE,
        1e-310,
        0.1,
    ] {
        assert_eq!(of(&[(x, 1.0)]).to_bits(), (x + 0.0).to_bits(), "{x}");
    }
    // Ties, and what lies slightly beyond, in normal and subnormal numbers.
    let half = f64::EPSILON / 2.0;
    assert_eq!(of(&[(1.0, 1.0), (half, 1.0)]), 1.0);
    assert_eq!(
        of(&[(1.0, 1.0), (half, 1.0), (tiny, tiny)]),
        1.0 + f64::EPSILON
    );
    assert_eq!(of(&[(1.0, 1.0), (half, 3.0)]), 1.0 + 2.0 * f64::EPSILON);
    assert_eq!(of(&[(tiny, 0.5)]).to_bits(), 0);
    assert_eq!(of(&[(-tiny, 0.5)]).to_bits(), 0);
    assert_eq!(of(&[(tiny, 1.5)]), 2.0 * tiny);
    assert_eq!(of(&[(tiny, 0.5), (tiny, tiny)]), tiny);
    assert_eq!(of(&[(tiny, tiny)]).to_bits(), 0);
    // Overflow.
    assert_eq!(of(&[(f64::MAX, -2.0)]), f64::NEG_INFINITY);
    assert_eq!(of(&[(f64::MAX, 1.0), (f64::MAX, half / 2.0)]), f64::MAX);
    assert_eq!(of(&[(f64::MAX, 1.0), (f64::MAX, half)]), f64::INFINITY);
    // Sums of two are rounded by the machine.
    let mut numbers = Numbers(0x0123_4567_89ab_cdef);
    for round in 0..20_000 {
        let [a, b, c] = core::array::from_fn(|_| numbers.float(round % 5));
        assert_eq!(of(&[(a, 1.0), (b, 1.0)]), a + b, "{a} + {b}");
        let (a, b) = (a * (1.0 + c * 1e-9), b + c);
        assert_eq!(of(&[(a, 1.0), (b, 1.0)]), a + b, "{a} + {b}");
        assert_eq!(of(&[(a, b)]), a * b + 0.0, "{a} * {b}");
    }
}
