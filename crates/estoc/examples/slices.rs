//! Cuts a teapot into layers and prints them as one SVG picture, with the area of each layer:
//! `cargo run --features examples -p estoc --example slices > slices.svg`.

use estoc::demo::DemoSpec;
use estoc::query::Polyline;
use estoc::{Batch, Bvh, Plane};
use std::error::Error;
use std::fmt::Write;

const LAYERS: usize = 24;
const COLUMNS: usize = 6;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mesh = "teapot?n=20000".parse::<DemoSpec>()?.mesh();
    let bvh = Bvh::build(&mesh);
    let [low, high] = [mesh.bounds().min(), mesh.bounds().max()];
    let thickness = (high.y - low.y) / LAYERS as f32;
    let planes: Vec<Plane> = (0..LAYERS)
        .map(|layer| low.y + thickness * (layer as f32 + 0.5))
        // The normal points down: x is right and z is up in the picture.
        .map(|height| Plane::from_offset([0.0, -1.0, 0.0], -height))
        .collect::<Result<_, _>>()?;
    let sections = Batch::new().sections(&bvh, &planes)?;

    let size = 1.1 * (high - low);
    let rows = LAYERS.div_ceil(COLUMNS);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-size=\"{}\">\n",
        size.x * COLUMNS as f32,
        size.z * rows as f32,
        size.z / 16.0,
    );
    let mut volume = 0.0;
    for (layer, section) in sections.iter().enumerate() {
        let area = section.area().ok_or("the teapot is closed")?;
        volume += area * f64::from(thickness);
        let corner = [
            (layer % COLUMNS) as f32 * size.x,
            (layer / COLUMNS) as f32 * size.z,
        ];
        let mut path = String::new();
        for polyline in &section.polylines {
            path += &outline(polyline, [corner[0] - low.x, corner[1] + high.z]);
        }
        writeln!(
            svg,
            "<path fill=\"peru\" fill-rule=\"evenodd\" d=\"{path}\"/>"
        )?;
        let [x, y] = [corner[0], corner[1] + size.z];
        writeln!(svg, "<text x=\"{x}\" y=\"{y}\">{area:.4}</text>")?;
    }
    println!("{svg}<!-- {LAYERS} layers with a volume of {volume:.4} -->\n</svg>");
    Ok(())
}

fn outline(polyline: &Polyline, offset: [f32; 2]) -> String {
    let mut path = String::new();
    for (index, point) in polyline.points.iter().enumerate() {
        let command = if index == 0 { 'M' } else { 'L' };
        let [x, y] = [point.point.x + offset[0], offset[1] - point.point.z];
        path += &format!("{command}{x:.5} {y:.5}");
    }
    path + "Z"
}
