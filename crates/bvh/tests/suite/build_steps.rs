//! The steps of a build, each on its own.

mod leaf_runs {
    use estoc_bvh::internals::builder::leaf_runs::{MOST, ROW, cut};
    use estoc_bvh::internals::builder::reference::{Reach, Reference};
    use estoc_bvh::internals::builder::triangle_boxes::of_corners;
    use estoc_core::Triangle;
    use fearless_simd::{Level, dispatch};

    fn row(len: usize, size: impl Fn(usize) -> f32) -> Vec<Reference> {
        let triangle = |i: usize| {
            let (x, s) = (i as f32, size(i));
            Triangle::new([x, 0.0, 0.0], [x + s, s, 0.0], [x, s, s])
        };
        let numbered = (0..len).zip(0..);
        numbered
            .map(|(i, prim)| Reference::new(prim, of_corners(triangle(i).corners())))
            .collect()
    }

    fn lens(row: &[Reference]) -> Vec<u32> {
        let mut runs = Vec::new();
        dispatch!(Level::baseline(), simd => cut(simd, row, &mut runs));
        let mut first = 0;
        for run in &runs {
            let part = &row[first..first + run.len as usize];
            let reaches = part.iter().map(Reference::reach);
            let reach = reaches.fold(Reach::EMPTY, Reach::join);
            assert_eq!(run.reach.bounds().min, reach.bounds().min);
            assert_eq!(run.reach.bounds().max, reach.bounds().max);
            first += part.len();
        }
        assert_eq!(first, row.len());
        runs.into_iter().map(|run| run.len).collect()
    }

    #[test]
    fn a_row_is_cut_into_runs_of_up_to_eight_whatever_it_has() {
        for len in [0, 1, 7, 8, 9, 17, ROW] {
            for (name, size) in [("small", 0.5), ("large", 30.0), ("overflowing", 1e25)] {
                let lens = lens(&row(len, |_| size));
                let fits = lens.iter().all(|len| (1..=MOST as u32).contains(len));
                assert!(fits, "{len} {name} ones: {lens:?}");
            }
        }
        assert_eq!(lens(&row(16, |_| 30.0)), [8, 8]);
    }
}

mod mesh_scale {
    use estoc_bvh::internals::builder::BuildWatch;
    use estoc_bvh::internals::wide::Scale;
    use estoc_core::Triangle;

    fn scale_of(sizes: &[f32]) -> Scale {
        let triangle = |&x: &f32| Triangle::new([x, 0.0, 0.0], [0.0, -x, 0.0], [0.0, 0.0, x]);
        let watch = BuildWatch::new(None, None, 0);
        Scale::of(sizes.len(), |i| triangle(&sizes[i]), &watch).unwrap()
    }

    #[test]
    fn usual_scenes_are_left_alone() {
        assert_eq!(scale_of(&[]).exponent(), 0);
        assert_eq!(scale_of(&[0.0]).exponent(), 0);
        assert_eq!(scale_of(&[1.0, 1e4, 1e-4, 1e30]).exponent(), 0);
    }

    #[test]
    fn extreme_scenes_come_near_one_and_back() {
        for size in [1e30, 1e-30, f32::MAX, 1e-40] {
            let scale = scale_of(&[size, size / 2.0, size]);
            assert_ne!(scale.exponent(), 0);
            let scaled = scale.up(size);
            assert!((1e-3..1e3).contains(&scaled), "{size} becomes {scaled}");
            assert_eq!(scale.down(scaled), size);
        }
    }

    #[test]
    fn what_could_not_come_back_is_left_alone() {
        assert_eq!(scale_of(&[1e30, 1e30, 1.1e-30]).exponent(), 0);
        assert_eq!(scale_of(&[1e-30, 1e-30, 1e30]).exponent(), 0);
    }
}

mod scale {
    use estoc_bvh::internals::wide::Scale;
    use estoc_core::Triangle;

    #[test]
    fn what_is_lost_on_the_way_up_or_down_is_not_exact() {
        let is_exact = |exponent: i32, own: f32| {
            let scale = Scale::from_exponent(exponent).unwrap();
            let of = |x: f32| Triangle::new([x, 0.0, 0.0], [0.0, x, 0.0], [0.0, 0.0, x]);
            let up = scale.up(own);
            let made_of_own = scale.is_exact(&of(up), &of(own));
            // As in blocks, which keep one triangle and compute the other from it.
            let made_of_scaled = scale.is_exact(&of(up), &of(scale.down(up)));
            (made_of_own, made_of_scaled)
        };
        assert_eq!(is_exact(0, 1e-8), (true, true));
        assert_eq!(is_exact(-126, 1.0), (true, true));
        // Becomes 0, or a subnormal of fewer bits, which scale back to other numbers.
        assert_eq!(is_exact(-126, 1e-8), (false, true));
        assert_eq!(is_exact(-126, 0.7), (false, true));
        assert_eq!(is_exact(126, 1e30), (false, false));
    }
}

mod radix {
    use estoc_bvh::internals::builder::radix::sorted;
    use estoc_bvh::internals::builder::{BuildWatch, Unfinished};
    use estoc_core::CancelToken;

    /// Returns keys of `bits` bits, with their indices in the low bits.
    fn keys(count: u64, bits: u32) -> Vec<u64> {
        let key = |i: u64| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - bits)) << 32 | i;
        (0..count).map(key).collect()
    }

    #[test]
    fn keys_are_sorted_and_equal_ones_keep_their_order() {
        for count in [0, 1, 2, 4095, 4096, 70_000, 200_001] {
            for bits in [1, 7, 9, 20, 32] {
                let given = keys(count, bits);
                let mut expected = given.clone();
                expected.sort_unstable();
                let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build();
                let watch = BuildWatch::new(None, None, 0);
                let sorted = pool.unwrap().install(|| sorted(given, &watch));
                assert!(sorted.unwrap() == expected, "{count} keys of {bits} bits");
            }
        }
    }

    #[test]
    fn a_raised_token_stops_the_sort() {
        let token = CancelToken::new();
        token.cancel();
        let sorted = sorted(keys(5000, 32), &BuildWatch::new(Some(&token), None, 0));
        assert!(matches!(sorted, Err(Unfinished::Cancelled)));
    }
}

mod reinsert {
    use estoc_bvh::Quality;
    use estoc_bvh::internals::builder::binary_tree::BinaryTree;
    use estoc_bvh::internals::builder::recursion::Builder;
    use estoc_bvh::internals::builder::reinsert::topology::Topology;
    use estoc_bvh::internals::builder::reinsert::{found, made};
    use estoc_bvh::internals::builder::triangle_boxes::TriangleBoxes;
    use estoc_bvh::internals::builder::{Budget, BuildWatch, quality_settings};
    use estoc_bvh::internals::wide::Scale;
    use estoc_demo::DemoSpec;
    use estoc_mesh::parts::buffers;
    use fearless_simd::Level;

    fn tree() -> BinaryTree {
        let hall: DemoSpec = "hall".parse().unwrap();
        let builder = Builder {
            settings: quality_settings(Quality::Balanced),
            level: Level::baseline(),
            watch: &BuildWatch::new(None, None, 0),
            memory: Budget::default(),
            leaf_bytes: 0,
        };
        let mesh = hall.mesh();
        let boxes = TriangleBoxes::of(buffers(&mesh), Scale::default());
        builder.build(&boxes).unwrap()
    }

    #[test]
    fn moves_lower_the_area_and_can_all_be_taken_back() {
        let before = tree().nodes;
        let mut topology = Topology::new(before.clone()).unwrap();
        let area = topology.area();
        let watch = BuildWatch::new(None, None, 0);
        for _ in 0..3 {
            let steps = found(&topology, 1.0, &watch).unwrap();
            assert!(made(&mut topology, &steps, &watch).unwrap());
        }
        assert!(topology.log_len() > 100, "{} moves", topology.log_len());
        let lowered = topology.area();
        assert!(lowered < 0.99 * area, "from {area} to {lowered}");
        // The incrementally updated state equals one computed anew.
        let anew = Topology::new(
            (0..before.len() as u32)
                .map(|i| *topology.node(i))
                .collect(),
        );
        assert!((anew.unwrap().area() / lowered - 1.0).abs() < 1e-9);
        topology.take_back(0);
        for (place, node) in before.iter().enumerate() {
            assert_eq!(topology.node(place as u32), node, "node {place}");
        }
        assert!((topology.area() / area - 1.0).abs() < 1e-9);
    }
}
