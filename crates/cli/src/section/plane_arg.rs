//! A plane as an argument: `A,B,C,D`.

use estoc::Plane;

/// A plane and the numbers that name it.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaneArg {
    pub(super) numbers: [f32; 4],
    pub(super) plane: Plane,
}

pub(super) fn parse(text: &str) -> Result<PlaneArg, String> {
    let cells = text.split(',').map(|cell| {
        let number = cell.trim().parse::<f32>();
        number.map_err(|_| format!("{cell:?} is not a number"))
    });
    let numbers = cells.collect::<Result<Vec<f32>, String>>()?;
    let Ok(numbers @ [a, b, c, d]) = <[f32; 4]>::try_from(&numbers[..]) else {
        return Err(format!("a plane is 4 numbers, not {}", numbers.len()));
    };
    let plane = Plane::from_offset([a, b, c], -d).map_err(|error| error.to_string())?;
    Ok(PlaneArg { numbers, plane })
}
