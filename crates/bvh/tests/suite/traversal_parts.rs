//! Parts of a traversal, each on its own.

mod bundle_trial {
    use estoc_bvh::internals::traverse::bundle::bundle_trial::{ALONE, BUNDLES, Trial};
    use estoc_bvh::internals::traverse::bundle::bundle_walk::Shared;
    use estoc_bvh::internals::wide::WIDTH;

    /// Returns after how many bundles rays are traced alone, of at most `BUNDLES`, and how many rays.
    fn alone_after(trial: &mut Trial, shared: Shared) -> (u32, u32) {
        let mut bundles = 0;
        while bundles < BUNDLES && !trial.is_alone() {
            trial.take(shared);
            bundles += 1;
        }
        let mut rays = 0;
        while trial.is_alone() {
            trial.pass(8);
            rays += WIDTH as u32;
        }
        (bundles, rays)
    }

    fn shared(steps: u64, visits: u64, alone: u64) -> Shared {
        Shared {
            steps,
            visits,
            alone,
        }
    }

    #[test]
    fn the_dearer_bundles_are_the_rarer_they_are_tried() {
        let [usual, soon, most] = ALONE;
        // Steps for sixteen visits: 7.4, 9, 6.9.
        let (dear, dearer, cheap) = (
            shared(460, 1000, 0),
            shared(0, 778, 333),
            shared(430, 1000, 0),
        );
        let mut trial = Trial::new(1 << 20);
        assert_eq!(alone_after(&mut trial, cheap), (BUNDLES, 0));
        assert_eq!(alone_after(&mut trial, dear), (BUNDLES, usual));
        assert_eq!(alone_after(&mut trial, dear), (BUNDLES, 2 * usual));
        for _ in 0..10 {
            alone_after(&mut trial, dear);
        }
        assert_eq!(alone_after(&mut trial, dear), (BUNDLES, most));
        assert_eq!(alone_after(&mut trial, cheap), (BUNDLES, 0));
        assert_eq!(
            alone_after(&mut trial, dear),
            (BUNDLES, usual),
            "it begins anew"
        );
        let mut trial = Trial::new(1 << 20);
        let (bundles, rays) = alone_after(&mut trial, dearer);
        assert!(bundles < BUNDLES, "{bundles}");
        assert_eq!(rays, soon);
    }

    #[test]
    fn bundles_have_to_share_more_in_large_trees() {
        let between = shared(400, 1000, 0);
        assert_eq!(alone_after(&mut Trial::new(1 << 28), between).1, 0);
        assert_eq!(
            alone_after(&mut Trial::new((1 << 28) + 1), between).1,
            ALONE[0]
        );
    }

    #[test]
    fn huge_counts_are_compared() {
        let (shares, is_alone) = (shared(1 << 32, 16 << 32, 0), shared(1 << 32, 1 << 32, 0));
        assert_eq!(alone_after(&mut Trial::new(0), shares).1, 0);
        assert_eq!(alone_after(&mut Trial::new(0), is_alone).1, ALONE[1]);
    }

    #[test]
    fn rays_that_share_nothing_are_traced_alone() {
        let mut nothing = Shared::default();
        nothing.traverse_alone(0xffff);
        assert_eq!(alone_after(&mut Trial::new(0), nothing).1, ALONE[1]);
    }
}

mod stack {
    use crate::common::Rng;
    use estoc_bvh::internals::traverse::traversal_stack::{ROOM, TraversalStack};
    use estoc_bvh::internals::wide::Tag;

    #[test]
    fn it_does_what_a_list_does() {
        let mut rng = Rng::new(18);
        let (mut stack, mut list) = (TraversalStack::new(), Vec::<(u32, u32)>::new());
        let answer = |(key, place)| (Tag::of(key).0, place);
        let top = |stack: &TraversalStack| stack.top().map(|(tag, place)| (tag.0, place));
        for step in 0..50_000 {
            let (key, place) = (rng.below(1000) as u32, step);
            let is_full = list.len() == ROOM;
            match rng.below(40) {
                0..16 if !is_full => {
                    stack.push(key, place);
                    list.push((key, place));
                }
                16..28 if !is_full => {
                    let bottom = rng.below(list.len() as u64 + 1) as usize;
                    stack.insert(key, place, bottom);
                    let farther = list[bottom..].iter().rev();
                    let nearer = farther.take_while(|&&(k, p)| (k, p) < (key, place)).count();
                    list.insert(list.len() - nearer, (key, place));
                }
                28..36 => {
                    let limit = rng.below(1000) as i32;
                    let found = stack.pop(limit).map(|(tag, place)| (tag.0, place));
                    while list.last().is_some_and(|&(key, _)| key as i32 > limit) {
                        list.pop();
                    }
                    assert_eq!(found, list.pop().map(answer));
                }
                36..38 => {
                    let limit = rng.below(1200) as i32;
                    stack.cull(limit);
                    list.retain(|&(key, _)| key as i32 <= limit);
                }
                38 if rng.below(50) == 0 => {
                    stack.clear();
                    list.clear();
                }
                _ => {
                    let found = stack.pop_any().map(|(tag, place)| (tag.0, place));
                    assert_eq!(found, list.pop().map(answer));
                }
            }
            assert_eq!(stack.len(), list.len());
            assert_eq!(top(&stack), list.last().copied().map(answer));
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn the_first_of_eight_are_pushed() {
        use fearless_simd::{Level, SimdFrom, u32x8};
        let Some(avx2) = Level::new().as_avx2() else {
            return;
        };
        let eight = |base: u32| core::array::from_fn(|lane| base + 8 * lane as u32);
        let [keys, places] = [eight(0), eight(1)].map(|v| u32x8::simd_from(avx2, v));
        let mut stack = TraversalStack::new();
        for count in 0..=8 {
            stack.push_first(count, keys, places);
            assert_eq!(stack.len(), count);
            for lane in (0..count as u32).rev() {
                let (tag, place) = stack.pop_any().unwrap();
                assert_eq!((tag.0, place), (Tag::of(8 * lane).0, 8 * lane + 1));
            }
        }
    }

    #[test]
    #[should_panic(expected = "index out of bounds")]
    fn a_full_one_panics() {
        let mut stack = TraversalStack::new();
        (0..=ROOM).for_each(|_| stack.push(0, 0));
    }
}

#[cfg(target_arch = "x86_64")]
mod order {
    use core::arch::x86_64::__m256i;
    use estoc_bvh::internals::traverse::child_order::x86::{least, packed, sort};
    use fearless_simd::{Avx2, Level, SimdFrom, u32x8};

    fn of(avx2: Avx2, numbers: [u32; 8]) -> __m256i {
        u32x8::simd_from(avx2, numbers).into()
    }

    fn numbers(avx2: Avx2, lanes: __m256i) -> [u32; 8] {
        u32x8::simd_from(avx2, lanes).into()
    }

    /// A network that sorts all sequences of zeros and ones sorts all sequences (Knuth).
    #[test]
    fn every_sequence_of_zeros_and_ones_is_sorted() {
        let Some(avx2) = Level::new().as_avx2() else {
            return;
        };
        for mask in 0..256_u32 {
            let bits: [u32; 8] = core::array::from_fn(|lane| mask >> lane & 1);
            let mut sorted = bits;
            sorted.sort_by(|a, b| b.cmp(a));
            assert_eq!(
                numbers(avx2, sort(avx2, of(avx2, bits))),
                sorted,
                "{mask:b}"
            );
            assert_eq!(least(avx2, of(avx2, bits)), sorted[7]);
            let lanes = numbers(avx2, packed(avx2, mask));
            let expected = (0..8).rev().filter(|lane| mask >> lane & 1 == 1);
            assert!(expected.eq(lanes[..mask.count_ones() as usize].iter().copied()));
        }
        let keys = [7, u32::MAX, 3, 9, 5, u32::MAX, 8, 1];
        let sorted = numbers(avx2, sort(avx2, of(avx2, keys)));
        assert_eq!(sorted, [9, 8, 7, 5, 3, 1, u32::MAX, u32::MAX]);
        assert_eq!(least(avx2, of(avx2, keys)), 1);
    }
}

mod coplanar_rays {
    use crate::leaf_writer::LeafWriter;
    use estoc_bvh::SimdLevel;
    use estoc_bvh::internals::traverse::level_token;
    use estoc_bvh::internals::traverse::parallel_triangles::parallel_triangles;
    use estoc_bvh::internals::wide::{Block, WIDTH};
    use estoc_core::{PrimId, Triangle};
    use estoc_testkit::generate::Rng;

    /// Returns `den` in units of 2^-72, of numbers that are multiples of 2^-24 and less than 2^14.
    fn den(dir: [f32; 3], [a, b, c]: [[f32; 3]; 3]) -> i128 {
        let units = |x: f32| (f64::from(x) * f64::from(1 << 24)) as i128;
        let e = |p: [f32; 3]| [0, 1, 2].map(|i| units(p[i]) - units(a[i]));
        let (e1, e2) = (e(b), e(c));
        let minor = |j: usize, k: usize| e1[j] * e2[k] - e1[k] * e2[j];
        let n = [minor(1, 2), minor(2, 0), minor(0, 1)];
        (0..3).map(|i| units(dir[i]) * n[i]).sum()
    }

    /// Returns a triangle and a direction: in a plane, or as little beside it as possible.
    fn case(rng: &mut Rng) -> ([f32; 3], [[f32; 3]; 3]) {
        let steps = rng.pick(&[1.0, 0.25, 1.0 / 64.0, 1.0 / 1024.0]);
        let size = rng.pick(&[3, 40, 1000]);
        let mut point = || [(); 3].map(|()| rng.int(-size, size) as f32 * steps);
        let [a, mut b, mut c] = [point(), point(), point()];
        let (s, t) = (rng.int(-9, 9) as f32, rng.int(-9, 9) as f32);
        let mut dir = match rng.below(3) {
            0 => {
                // Flat along an axis.
                let axis = rng.below(3);
                (b[axis], c[axis]) = (a[axis], a[axis]);
                let mut dir = [rng.signed(), rng.signed(), rng.signed()];
                dir = dir.map(|d| (d * 16_777_216.0).round() / 16_777_216.0);
                dir[axis] = 0.0;
                dir
            }
            _ => [0, 1, 2].map(|i| s * (b[i] - a[i]) + t * (c[i] - a[i])),
        };
        if rng.one_in(2) {
            let off = rng.pick(&[f32::EPSILON / 2.0, 1.0 / 4096.0, 1.0]);
            match rng.below(3) {
                0 => dir[rng.below(3)] += off,
                1 => b[rng.below(3)] += off,
                _ => c[rng.below(3)] -= off,
            }
        }
        (dir, [a, b, c])
    }

    #[test]
    fn what_is_found_parallel_is() {
        for level in SimdLevel::available() {
            let token = level_token(level).unwrap();
            let mut rng = Rng::new(11);
            let [mut found, mut missed, mut beside] = [0, 0, 0];
            for _ in 0..20_000 {
                let len = 1 + rng.below(WIDTH);
                let (dir, first) = case(&mut rng);
                let mut all = vec![first];
                all.resize_with(len, || case(&mut rng).1);
                let mut leaves = LeafWriter::with_triangles(len);
                leaves.write(
                    0,
                    all.iter().enumerate().map(|(i, &[a, b, c])| {
                        (PrimId::from_index(i).unwrap(), Triangle::new(a, b, c))
                    }),
                );
                let leaves = leaves.finish();
                if dir == [0.0; 3] {
                    continue;
                }
                let wide = dir.map(f64::from);
                let bits = fearless_simd::dispatch!(token, simd => parallel_triangles(simd, Block::of(leaves.numbers(), 0, len), wide));
                for (place, &triangle) in all.iter().enumerate() {
                    let truth = den(dir, triangle) == 0;
                    let bit = bits >> place & 1 == 1;
                    assert!(truth || !bit, "{level}: {dir:?} {triangle:?}");
                    found += u32::from(bit);
                    missed += u32::from(truth && !bit);
                    beside += u32::from(!truth);
                }
            }
            println!("{level}: {found} found parallel, {missed} not found, {beside} are not");
            assert!(found > 5_000 && missed < found / 4 && beside > 5_000);
        }
    }
}
