//! One ray as an argument: `ox,oy,oz,dx,dy,dz`, or with `,tmin,tmax` behind.

use crate::number::Number;
use estoc::Ray;

/// Reads it; for clap.
pub(crate) fn parse(text: &str) -> Result<Ray, String> {
    let numbers = text
        .split(',')
        .map(|number| {
            let number = number.trim();
            number
                .parse::<f32>()
                .map_err(|_| format!("{number:?} is not a number"))
        })
        .collect::<Result<Vec<f32>, String>>()?;
    match numbers[..] {
        [ox, oy, oz, dx, dy, dz] => Ok(Ray::new([ox, oy, oz], [dx, dy, dz])),
        [ox, oy, oz, dx, dy, dz, t_min, t_max] => {
            Ok(Ray::new([ox, oy, oz], [dx, dy, dz]).with_interval(t_min, t_max))
        }
        _ => Err(format!(
            "a ray is 6 numbers (ox,oy,oz,dx,dy,dz), or 8 with tmin,tmax; these are {}",
            numbers.len()
        )),
    }
}

/// The argument that reads back as the same ray, bit for bit unless something is NaN.
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
    fn errors_say_what_a_ray_is() {
        assert!(parse("1,2,3").unwrap_err().contains("these are 3"));
        assert!(
            parse("1,2,3,4,5,x")
                .unwrap_err()
                .contains("\"x\" is not a number")
        );
        assert!(parse("").unwrap_err().contains("\"\" is not a number"));
    }
}
