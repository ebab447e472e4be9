//! One ray as an argument: `ox,oy,oz,dx,dy,dz`, optionally followed by `,tmin,tmax`.

use crate::number::Number;
use estoc::Ray;
use estoc::scene::Ray64;
use estoc_rays_io::{EitherNumber, Item};

/// A ray as an argument.
#[derive(Clone, Debug)]
pub(crate) struct RayArg {
    /// With its numbers rounded to `f32`.
    pub(crate) near: Ray,
    /// Its numbers with commas between them, as a line of CSV.
    pub(crate) line: String,
}

/// Parses a ray that can be cast in numbers of `f64`; they are separated by commas, spaces or both.
pub(crate) fn parse(text: &str) -> Result<RayArg, String> {
    let words = words_of(text);
    let (near, wide) = rays_of(&words)?;
    match (wide.check(), near.check()) {
        (Ok(()), _) => Ok(RayArg {
            near,
            line: words.join(","),
        }),
        (Err(_), Err(error)) => Err(error.to_string()),
        (Err(error), Ok(())) => Err(error.to_string()),
    }
}

/// Returns words that are separated by commas, spaces or both.
pub(crate) fn words_of(text: &str) -> Vec<&str> {
    // An empty cell between two commas yields one empty word, which is not a number.
    let words = text.split(',').flat_map(|cell| {
        let is_empty = cell.trim().is_empty();
        cell.split_whitespace().chain(is_empty.then_some(""))
    });
    words.collect()
}

/// Returns the numbers that words are.
pub(crate) fn numbers_of(words: &[&str]) -> Result<Vec<EitherNumber>, String> {
    let numbers = words.iter().map(|number| {
        let parsed = number.parse::<EitherNumber>();
        parsed.map_err(|_| format!("{number:?} is not a number"))
    });
    numbers.collect()
}

/// Returns the ray of these numbers in `f32` and in `f64`.
fn rays_of(words: &[&str]) -> Result<(Ray, Ray64), String> {
    let numbers = numbers_of(words)?;
    let given = match numbers.len() {
        6 | 8 => {
            let cells = std::array::from_fn(|place| numbers.get(place).copied());
            let near = cells.map(|cell: Option<EitherNumber>| cell.map(|number| number.near));
            let wide = cells.map(|cell| cell.map(|number| number.wide));
            return Ok((Ray::from_numbers(near), Ray64::from_numbers(wide)));
        }
        1 => "1 was given".to_owned(),
        n => format!("{n} were given"),
    };
    Err(format!(
        "a ray is 6 numbers (ox,oy,oz,dx,dy,dz), or 8 with tmin,tmax, but {given}"
    ))
}

/// Formats a ray as an argument that parses as the same ray, bit for bit unless a number is NaN.
pub(crate) fn print(ray: &Ray) -> String {
    let mut numbers = [ray.origin.to_array(), ray.dir.to_array()].concat();
    let [start, end] = [ray.t_min, ray.t_max].map(f32::to_bits);
    if start != 0 || end != f32::INFINITY.to_bits() {
        numbers.extend([ray.t_min, ray.t_max]);
    }
    let numbers: Vec<String> = numbers.into_iter().map(|x| Number(x).to_string()).collect();
    numbers.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Point;

    fn parse(text: &str) -> Result<Ray, String> {
        super::parse(text).map(|ray| ray.near)
    }

    #[test]
    fn rays_read_back() {
        let ray = Ray::new([-0.0, 1e-40, 0.1], [3e38, -1.0, 0.0]);
        assert_eq!(print(&ray), "-0,1e-40,0.1,3e38,-1,0");
        for ray in [
            ray,
            ray.with_interval(-0.0, f32::INFINITY),
            ray.with_interval(1.5, 2.5),
        ] {
            let back = parse(&print(&ray)).unwrap();
            let bits = |r: &Ray| {
                let [o, d] = [r.origin, r.dir].map(|v| v.to_array().map(f32::to_bits));
                (o, d, r.t_min.to_bits(), r.t_max.to_bits())
            };
            assert_eq!(bits(&back), bits(&ray));
        }
    }

    #[test]
    fn rays_in_f64_read_back() {
        let ray = Ray64::new([-0.0, 1e-300, 0.1], [3e300, f64::from(0.1f32), 0.0]);
        let [origin, dir] = [ray.origin, ray.dir].map(Point::World);
        let text = format!("{origin},{dir}");
        assert_eq!(text, "-0,1e-300,0.1,3e300,0.10000000149011612,0");
        let line = super::parse(&text).unwrap().line;
        let words: Vec<&str> = line.split(',').collect();
        assert_eq!(rays_of(&words).unwrap().1, ray);
    }

    #[test]
    fn spaces_separate_too() {
        let ray = Ray::new([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]);
        for text in ["1,2,3,4,5,6", "1 2 3 4 5 6", " 1, 2, 3  4 5, 6 "] {
            assert_eq!(parse(text), Ok(ray), "{text}");
        }
        for text in ["1,2,3,4,5,", "1,,2,3,4,5,6", "1 2 3, ,4 5 6"] {
            assert_eq!(parse(text), Err("\"\" is not a number".into()), "{text}");
        }
    }

    #[test]
    fn rays_that_cannot_be_cast_are_refused() {
        for text in [
            "nan,0,0,0,0,1",
            "0,0,0,0,0,0",
            "0,0,0,0,inf,1",
            "0,0,0,0,0,1,nan,1",
            "0,0,0,0,0,1,2,1",
        ] {
            let told = parse(text).unwrap_err();
            assert!(told.starts_with("the ray's "), "{told}");
        }
    }

    #[test]
    fn errors_say_what_a_ray_is() {
        assert!(parse("1,2,3").unwrap_err().contains("but 3 were given"));
        assert!(
            parse("1,2,3,4,5,x")
                .unwrap_err()
                .contains("\"x\" is not a number")
        );
        assert!(parse("").unwrap_err().contains("\"\" is not a number"));
    }
}
