//! Reads everything of an input of rays.

use estoc_core::{Ray, Ray64};
use estoc_rays_io::{Block, Input, InputError, Item};

/// Reads all rays in `f32` or `f64`; errors must name the file.
pub(crate) fn read(open: impl Fn() -> Result<Input<Ray>, InputError>, name: &str) {
    read_as(open(), name);
    read_as::<Ray64>(open().map(Input::with_items), name);
}

/// Reads all items; errors must name the file.
pub(crate) fn read_as<T: Item>(input: Result<Input<T>, InputError>, name: &str) {
    let tell = |error: InputError| assert!(error.to_string().contains(name), "{error}");
    let mut input = match input {
        Ok(input) => input,
        Err(error) => return tell(error),
    };
    let columns = (0..input.columns().len()).collect();
    input.pass_through(columns);
    input.read_ids();
    let mut block = Block::<T>::default();
    loop {
        let read = input.read(&mut block, 7);
        let count = block.items.len();
        assert!(block.ids.as_ref().is_none_or(|ids| ids.len() == count));
        assert!(
            block
                .masks
                .as_ref()
                .is_none_or(|masks| masks.len() == count)
        );
        if let Err(error) = read {
            return tell(error);
        }
        if count == 0 {
            return;
        }
        let _ = block.passed.text(count - 1, 0);
    }
}
