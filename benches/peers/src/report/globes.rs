//! The picture of leaks: the sphere once for each library, with the places of wrong answers.

use super::leaks::total;
use super::svg::{FAINT, Label, Paint, Picture};
use super::table::{Group, Key, count, grouped};
use crate::row::Row;
use crate::watertight::{Globe, Spot};

const ACROSS: usize = 4;
const PANEL: [f64; 2] = [226.0, 262.0];
const MARGIN: f64 = 18.0;
const HEAD: f64 = 74.0;
const RADIUS: f64 = 92.0;
/// The direction from the scene towards the viewer.
const EYE: [f64; 3] = [0.62, 0.48, 0.62];

const STYLE: &str = ".mesh { stroke: #3d4650 } \
    .leak { stroke: #ff5c5c } text.leak { fill: #ff5c5c; stroke: none } \
    .count { stroke: #e0a83a } text.count { fill: #e0a83a; stroke: none }";
const LEAK: Paint = ("leak", "#cf222e");
const COUNT: Paint = ("count", "#bf8700");

/// Returns the title of an engine in the picture.
fn title(engine: &str) -> &str {
    match engine {
        "estoc-float" => "estoc's tree, floats only",
        "embree-medium" => "Embree",
        "embree-robust" => "Embree, robust",
        "obvhs-bvh2-medium" => "obvhs, binary tree",
        "obvhs-cwbvh-medium" => "obvhs, CWBVH",
        "bvh-nearest" => "bvh, obvhs's triangles",
        "parry" => "parry3d",
        other => other,
    }
}

/// Draws the wrong answers at the places of the globe, above the sums of the rows, which include
/// other meshes.
pub(crate) fn globes(globe: &Globe, rows: &[Row]) -> String {
    let across = ACROSS.min(globe.engines.len()).max(1);
    let down = globe.engines.len().div_ceil(across);
    let width = 2.0 * MARGIN + across as f64 * PANEL[0];
    let height = HEAD + down as f64 * PANEL[1] + MARGIN;
    let rows: Group<'_> = rows.iter().filter(|row| row.mode == "single").collect();
    let engines = rows.by(&[Key::ENGINE]);
    let rays = engines
        .first()
        .and_then(|(_, rows)| total(rows, |row| row.count));
    let note = format!(
        "{} rays per library at a sphere (drawn), a cube and a spindle; larger dots: a larger share \
         of the rays at a place",
        grouped(rays.unwrap_or(0))
    );
    let title_text = "Rays at shared corners and edges of closed meshes";
    let mut picture = Picture::new([width, height], title_text, &note, STYLE);
    for (x, paint, text) in [
        (width - 276.0, LEAK, "leak"),
        (width - 206.0, COUNT, "surfaces miscounted"),
    ] {
        picture.add(&dots((paint, 7.0), &format!("M{x} 27h0")));
        picture.text(Label::at(x + 10.0, 31.0, 13).faint(), text);
    }
    picture.add(&format!(
        "<defs><path id=\"mesh\" class=\"mesh\" d=\"{}\" fill=\"none\" stroke=\"#d0d7de\" \
         stroke-width=\"0.6\"/></defs>",
        mesh(globe)
    ));
    for (index, (engine, spots)) in globe.engines.iter().enumerate() {
        let x = MARGIN + ((index % across) as f64 + 0.5) * PANEL[0];
        let y = HEAD + (index / across) as f64 * PANEL[1] + RADIUS + 8.0;
        picture.add(&format!(
            "<g transform=\"translate({x:.0} {y:.0})\"><use href=\"#mesh\"/>"
        ));
        for mark in MARKS {
            let path = places(globe, spots, mark);
            if !path.is_empty() {
                picture.add(&dots(mark, &path));
            }
        }
        let of_engine = rows.only(|row| row.engine == *engine);
        let [leaks, parity]: [fn(&Row) -> Option<usize>; 2] = [|row| row.lost, |row| row.parity];
        let counts = match total(&of_engine, parity) {
            None => ("does not list hits".to_owned(), FAINT),
            Some(0) => ("no wrong count".to_owned(), FAINT),
            Some(rays) => {
                let words = format!("wrong parity: {}", count(rays, "ray"));
                (words, COUNT)
            }
        };
        let leaks = match total(&of_engine, leaks).unwrap_or(0) {
            0 => ("no leak".to_owned(), FAINT),
            leaks => (count(leaks, "leak"), LEAK),
        };
        let at = |down| Label::at(0.0, RADIUS + down, 13).anchored("middle");
        picture.text(at(24.0).bold(), title(engine));
        for (down, (words, paint)) in [(42.0, leaks), (60.0, counts)] {
            picture.text(at(down).painted(paint), &words);
        }
        picture.add("</g>");
    }
    picture.finish()
}

/// A kind of dots, with their width.
type Mark = (Paint, f64);

const MARKS: [Mark; 4] = [(COUNT, 1.8), (LEAK, 2.2), (LEAK, 3.2), (LEAK, 4.6)];

/// Returns how a place is marked, by the share of its rays that leak.
fn mark(spot: &Spot) -> Option<Mark> {
    let [count, few, some, many] = MARKS;
    match spot.leaks {
        0 => (spot.miscounts > 0).then_some(count),
        leaks if leaks * 4 >= spot.rays => Some(many),
        leaks if leaks * 20 >= spot.rays => Some(some),
        _ => Some(few),
    }
}

fn dots(((class, colour), width): Mark, path: &str) -> String {
    format!(
        "<path class=\"{class}\" d=\"{path}\" fill=\"none\" stroke=\"{colour}\" \
         stroke-width=\"{width}\" stroke-linecap=\"round\"/>"
    )
}

/// Returns the places that face the viewer and are marked so, as a path of dots.
fn places(globe: &Globe, spots: &[Spot], wanted: Mark) -> String {
    let dot = |(place, spot): (&[f64; 3], &Spot)| {
        let ([x, y], towards) = projected(*place);
        let is_here = towards > 0.0 && mark(spot) == Some(wanted);
        is_here.then(|| format!("M{x:.1} {y:.1}h0"))
    };
    globe.places.iter().zip(spots).filter_map(dot).collect()
}

/// Returns the edges that face the viewer.
fn mesh(globe: &Globe) -> String {
    let edge = |edge: &[u32; 2]| {
        let [([x, y], a), (to, b)] = edge.map(|corner| projected(globe.places[corner as usize]));
        (a + b > 0.0).then(|| format!("M{x:.1} {y:.1}L{:.1} {:.1}", to[0], to[1]))
    };
    globe.edges.iter().filter_map(edge).collect()
}

/// Returns the position in the picture, and how far it is towards the viewer.
fn projected(p: [f64; 3]) -> ([f64; 2], f64) {
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let length = dot(EYE, EYE).sqrt();
    let back = EYE.map(|x| x / length);
    let flat = back[0].hypot(back[1]);
    let right = [-back[1] / flat, back[0] / flat, 0.0];
    let up = [
        -back[2] * right[1],
        back[2] * right[0],
        back[0] * right[1] - back[1] * right[0],
    ];
    ([dot(p, right) * RADIUS, -dot(p, up) * RADIUS], dot(p, back))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::{Measured, rows};

    fn spot(leaks: usize) -> Spot {
        Spot {
            rays: 48,
            leaks,
            miscounts: 0,
        }
    }

    #[test]
    fn only_faults_are_marked() {
        let globe = Globe {
            places: vec![[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [-1.0, 0.0, 0.0]],
            edges: vec![[0, 1]],
            engines: vec![
                ("estoc".to_owned(), vec![spot(0); 3]),
                ("parry".to_owned(), vec![spot(1), spot(0), spot(1)]),
            ],
        };
        let lines = [
            "sphere,near,single,estoc,1,0",
            "sphere,near,single,parry,1,0",
        ];
        let mut rows = rows(Measured::Leaks, &lines);
        (rows[0].lost, rows[0].parity, rows[0].count) = (Some(0), Some(0), Some(1000));
        (rows[1].lost, rows[1].count) = (Some(2), Some(1000));
        let text = globes(&globe, &rows);
        assert_eq!(text.matches("stroke-width=\"2.2\"").count(), 1, "{text}");
        assert_eq!(
            text.matches("h0").count(),
            3,
            "two of the legend, one in sight\n{text}"
        );
        for words in [
            "1,000 rays",
            "no leak",
            "2 leaks",
            "no wrong count",
            "does not list hits",
        ] {
            assert!(text.contains(words), "{words}\n\n{text}");
        }
    }
}
