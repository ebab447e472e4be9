//! The column `mask` of rays, in CSV and in Parquet.

use estoc_core::Ray;
use estoc_core::glam::Vec3;
use estoc_rays_io::{Block, Input, InputError, Item};

const ALL: u32 = u32::MAX;

/// Reads all items with blocks of at most `most`, and returns their number, their masks, and the error
/// that ends them.
fn masks<T: Item>(mut input: Input<T>, most: usize) -> (usize, Option<Vec<u32>>, Option<String>) {
    let (mut count, mut all) = (0, None::<Vec<u32>>);
    let mut block = Block::default();
    loop {
        let read: Result<(), InputError> = input.read(&mut block, most);
        count += block.items.len();
        if let Some(masks) = &block.masks {
            assert_eq!(masks.len(), block.items.len());
            all.get_or_insert_default().extend(masks);
        }
        match read {
            Err(error) => return (count, all, Some(error.to_string())),
            Ok(()) if block.items.is_empty() => return (count, all, None),
            Ok(()) => {}
        }
    }
}

#[test]
fn masks_of_csv_stand_in_any_column() {
    let of = |text: &str, most| {
        let input = Input::of_bytes("r.csv", text.as_bytes().to_vec());
        masks::<Ray>(input.unwrap(), most)
    };
    let text = "ox,Mask,oy,oz,dx,dy,dz\n0,1,0,0,0,0,1\n0,,0,0,0,0,1\n0,-1,0,0,0,0,1\n\
                0,\"4294967294\",0,0,0,0,1\n0,-2147483648,0,0,0,0,1\n0,0,0,0,0,0,1\n";
    let expected = vec![1, ALL, ALL, ALL - 1, 1 << 31, 0];
    for most in [1, 4, 100] {
        assert_eq!(of(text, most), (6, Some(expected.clone()), None));
    }
    let (count, none, _) = of("ox,oy,oz,dx,dy,dz\n0,0,0,0,0,1\n", 9);
    assert_eq!((count, none), (1, None));
    for value in ["4294967296", "-2147483649", "1.0", "two", "0x1"] {
        let text = format!("{text}1,{value},1,1,1,1,1\n");
        let (count, _, error) = of(&text, 9);
        let expected = format!(
            "r.csv:8: mask is {value:?}, which is not a whole number from -2147483648 to 4294967295; \
             correct it, or rename the column if it holds no masks of rays"
        );
        assert_eq!((count, error), (6, Some(expected)));
    }
    let twice = Input::<Ray>::of_bytes("r.csv", b"ox,oy,oz,dx,dy,dz,MASK,Mask\n".to_vec());
    let twice = twice.map(drop).unwrap_err().to_string();
    let expected = "r.csv:1: the column mask appears twice; rename one of them";
    assert_eq!(twice, expected);
    // Points have none.
    let points = b"x,y,z,mask\n1,2,3,none\n".to_vec();
    let points = masks::<Vec3>(Input::of_bytes("p.csv", points).unwrap(), 9);
    assert_eq!(points, (1, None, None));
}

#[cfg(feature = "parquet")]
#[test]
fn masks_of_parquet_are_whole_numbers_of_any_type() {
    use crate::common::{file, open, rays};
    use crate::parquet::{arrays, parquet};
    use arrow_array::{ArrayRef, Float32Array, Int32Array, Int64Array, UInt32Array};
    use parquet::basic::Compression;
    use std::sync::Arc;
    let folder = tempfile::tempdir().unwrap();
    let rays = rays(500, 31);
    let written = |array: ArrayRef| {
        let mut columns = arrays(&rays);
        columns.insert(2, ("mask", array));
        let ids: ArrayRef = Arc::new(Int64Array::from_iter_values(0..500));
        columns.push(("ray_id", ids));
        file(
            &folder,
            "r.parquet",
            &parquet(columns, 200, Compression::UNCOMPRESSED),
        )
    };
    let expected: Vec<u32> = (0..500)
        .map(|i| if i % 7 == 3 { ALL } else { i << 23 })
        .collect();
    let some = |i: usize| (i % 7 != 3).then(|| expected[i]);
    let numbers: [ArrayRef; 3] = [
        Arc::new(Int32Array::from_iter(
            (0..500).map(|i| some(i).map(u32::cast_signed)),
        )),
        Arc::new(UInt32Array::from_iter((0..500).map(some))),
        Arc::new(Int64Array::from_iter(
            (0..500).map(|i| some(i).map(i64::from)),
        )),
    ];
    for array in numbers {
        let path = written(array);
        for most in [64, 1_000] {
            let mut input = open::<Ray>(&path).unwrap();
            input.read_ids();
            assert_eq!(masks(input, most), (500, Some(expected.clone()), None));
        }
    }
    let mut large = vec![7; 500];
    large[333] = 1 << 32;
    let path = written(Arc::new(Int64Array::from(large)));
    let mut input = open::<Ray>(&path).unwrap();
    input.read_ids();
    let (count, some, error) = masks(input, 128);
    assert_eq!((count, some), (333, Some(vec![7; 333])));
    assert!(
        error.as_ref().unwrap().ends_with(
            "r.parquet: row 333: mask is 4294967296, which is not a whole number from -2147483648 to \
             4294967295; correct it, or rename the column if it holds no masks of rays"
        ),
        "{error:?}"
    );
    let path = written(Arc::new(Float32Array::from(vec![1.0; 500])));
    let error = open::<Ray>(&path).map(drop).unwrap_err().to_string();
    assert!(
        error.ends_with("the column mask is of type Float32; it must be Int64, Int32 or UInt32, or have another name if it holds no masks of rays"),
        "{error}"
    );
}
