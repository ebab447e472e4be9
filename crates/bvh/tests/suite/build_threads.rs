//! Large trees built by several threads are valid and always the same.

use estoc_bvh::internals::tree::BvhInternals;
use estoc_bvh::internals::wide::WideTree;
use estoc_bvh::{BuildError, Bvh, Quality};
use estoc_demo::DemoSpec;
use estoc_mesh::Mesh;

/// Returns all data of a tree, to the bit.
fn bits(bvh: &Bvh) -> String {
    format!("{:?}", bvh.inner())
}

/// Enough triangles that groups are partitioned by several threads, too.
#[test]
fn large_trees_are_whole() {
    let scene: DemoSpec = "soup?n=200000".parse().unwrap();
    let mesh = scene.mesh();
    for quality in [Quality::Fast, Quality::Balanced, Quality::Best] {
        let bvh = Bvh::builder().quality(quality).threads(3).build(&mesh);
        assert_eq!(bvh.unwrap().validate(), Ok(()), "{quality:?}");
    }
}

#[test]
fn the_tree_is_the_same_for_any_number_of_threads() {
    // Large enough that groups are measured and built in parallel.
    let scene: DemoSpec = "soup?n=70000".parse().unwrap();
    let mesh = scene.mesh();
    let build = |threads| Bvh::builder().threads(threads).build(&mesh).unwrap();
    let one = bits(&build(1));
    for threads in [2, 3, 7] {
        assert!(bits(&build(threads)) == one, "{threads} threads");
    }
}

#[test]
fn many_triangles_around_one_centre_are_halved_the_same_with_any_threads() {
    // So many that halving them takes several steps, and equal except for their numbers.
    const MANY: usize = 300_000;
    let corners = [[0.0f32; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let mesh = Mesh::try_new(corners, std::iter::repeat_n([0, 1, 2], MANY)).unwrap();
    let build = |threads| Bvh::builder().threads(threads).build(&mesh).unwrap();
    let [one, two] = [build(1), build(2)];
    assert_eq!(one.validate(), Ok(()));
    // The debug output of so large a tree takes too long.
    let (one, two) = (one.inner(), two.inner());
    assert!(format!("{:?}", one.leaves) == format!("{:?}", two.leaves));
    let bytes = |tree: &WideTree| bytemuck::cast_slice::<_, u8>(&tree.nodes).to_vec();
    assert!(bytes(one) == bytes(two));
}

#[test]
fn absurd_numbers_of_threads_are_a_typed_error() {
    let mesh = "soup?n=100".parse::<DemoSpec>().unwrap().mesh();
    let build = |threads| Bvh::builder().threads(threads).build(&mesh);
    for threads in [usize::MAX, usize::MAX / 16, 1_000_000, 1_025] {
        let found = build(threads).unwrap_err();
        let told = format!(
            "cannot start {threads} threads to build the tree: at most 1024 are supported; \
             request fewer"
        );
        assert_eq!(found.to_string(), told);
        assert!(matches!(found, BuildError::Threads { .. }));
    }
    assert_eq!(bits(&build(0).unwrap()), bits(&build(1).unwrap()));
}
