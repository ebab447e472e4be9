//! The picture of leaks: the sphere once for each library, with the places of wrong answers.

use super::svg::{Label, write_card, write_start};
use super::tight::{Total, grouped, tight_rows};
use crate::row::Row;
use crate::watertight::{Globe, Spot};
use std::fmt::{self, Write};

const ACROSS: usize = 4;
const PANEL: [f64; 2] = [226.0, 262.0];
const MARGIN: f64 = 18.0;
const HEAD: f64 = 74.0;
const RADIUS: f64 = 92.0;
/// The direction from the scene towards the viewer.
const EYE: [f64; 3] = [0.62, 0.48, 0.62];

/// The picture is a card of its own colour, as the chart is.
const STYLE: &str = "<style>@media (prefers-color-scheme: dark) {\
    .card { fill: #0d1117; stroke: #30363d } .mesh { stroke: #3d4650 } \
    .ink { fill: #e6edf3 } .faint { fill: #9aa4af } \
    .leak { stroke: #ff5c5c } text.leak { fill: #ff5c5c; stroke: none } \
    .count { stroke: #e0a83a } text.count { fill: #e0a83a; stroke: none } }</style>";
const LEAK: &str = "#cf222e";
const COUNT: &str = "#bf8700";

/// A kind of dots.
struct Mark {
    class: &'static str,
    colour: &'static str,
    width: f64,
    is_at: fn(&Spot) -> bool,
}

/// The last mark whose `is_at` holds for a place is drawn there.
static MARKS: [Mark; 4] = [
    Mark {
        class: "count",
        colour: COUNT,
        width: 1.8,
        is_at: |spot| spot.miscounts > 0,
    },
    Mark {
        class: "leak",
        colour: LEAK,
        width: 2.2,
        is_at: |spot| spot.leaks > 0,
    },
    Mark {
        class: "leak",
        colour: LEAK,
        width: 3.2,
        is_at: |spot| spot.leaks * 20 >= spot.rays && spot.leaks > 0,
    },
    Mark {
        class: "leak",
        colour: LEAK,
        width: 4.6,
        is_at: |spot| spot.leaks * 4 >= spot.rays && spot.leaks > 0,
    },
];

/// Returns the title of an engine in the picture.
fn title(engine: &str) -> &str {
    match engine {
        "estoc" => "estoc",
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
    let mut text = String::new();
    write(&mut text, globe, rows).expect("writing to a string does not fail");
    text
}

fn write(out: &mut String, globe: &Globe, rows: &[Row]) -> fmt::Result {
    let across = ACROSS.min(globe.engines.len()).max(1);
    let down = globe.engines.len().div_ceil(across);
    let width = 2.0 * MARGIN + across as f64 * PANEL[0];
    let height = HEAD + down as f64 * PANEL[1] + MARGIN;
    let title_text = "Rays at shared corners and edges of closed meshes";
    write_start(out, [width, height], title_text)?;
    write_card(out, [width, height], STYLE)?;
    Label::new(MARGIN, 32.0, 18).bold().write(out, title_text)?;
    let rays = tight_rows(rows).map(|row| (&row.engine, &row.mode)).next();
    let rays = rays.map_or(0, |first| {
        let rows = tight_rows(rows).filter(|row| (&row.engine, &row.mode) == first);
        Total::of(rows).rays
    });
    let note = format!(
        "{} rays per library at a sphere (drawn), a cube and a spindle; larger dots: a larger share of the rays at a place",
        grouped(rays)
    );
    Label::new(MARGIN, 54.0, 13).faint().write(out, &note)?;
    write_legend(out, width)?;
    writeln!(
        out,
        "<defs><path id=\"mesh\" class=\"mesh\" d=\"{}\" fill=\"none\" stroke=\"#d0d7de\" \
         stroke-width=\"0.6\"/></defs>",
        mesh(globe)
    )?;
    for (index, (engine, spots)) in globe.engines.iter().enumerate() {
        let x = MARGIN + (index % across) as f64 * PANEL[0];
        let y = HEAD + (index / across) as f64 * PANEL[1];
        writeln!(
            out,
            "<g transform=\"translate({:.0} {:.0})\">",
            x + PANEL[0] / 2.0,
            y + RADIUS + 8.0
        )?;
        writeln!(out, "<use href=\"#mesh\"/>")?;
        for mark in &MARKS {
            write_marks(out, globe, spots, mark)?;
        }
        let of_engine = tight_rows(rows);
        let of_engine = of_engine.filter(|row| &row.engine == engine && row.mode == "single");
        write_words(out, title(engine), Total::of(of_engine))?;
        writeln!(out, "</g>")?;
    }
    writeln!(out, "</svg>")
}

fn write_legend(out: &mut String, width: f64) -> fmt::Result {
    for (x, class, colour, text) in [
        (width - 276.0, "leak", LEAK, "leak"),
        (width - 206.0, "count", COUNT, "surfaces miscounted"),
    ] {
        let y = 27.0;
        writeln!(
            out,
            "<path class=\"{class}\" d=\"M{x} {y}h0\" stroke=\"{colour}\" stroke-width=\"7\" \
             stroke-linecap=\"round\"/>"
        )?;
        Label::new(x + 10.0, y + 4.0, 13).faint().write(out, text)?;
    }
    Ok(())
}

fn write_words(out: &mut String, title: &str, total: Total) -> fmt::Result {
    Label::new(0.0, RADIUS + 24.0, 14)
        .bold()
        .middle()
        .write(out, title)?;
    let leaks = match total.leaks {
        0 => "no leak".to_owned(),
        1 => "1 leak".to_owned(),
        leaks => format!("{} leaks", grouped(leaks)),
    };
    let label = Label::new(0.0, RADIUS + 42.0, 13).middle();
    let label = match total.leaks {
        0 => label.faint(),
        _ => label.coloured("leak", LEAK),
    };
    label.write(out, &leaks)?;
    let counts = match total.parity {
        None => "does not list hits".to_owned(),
        Some(0) => "no wrong count".to_owned(),
        Some(1) => "wrong parity: 1 ray".to_owned(),
        Some(rays) => format!("wrong parity: {} rays", grouped(rays)),
    };
    let label = Label::new(0.0, RADIUS + 60.0, 13).middle();
    let label = match total.parity {
        None | Some(0) => label.faint(),
        Some(_) => label.coloured("count", COUNT),
    };
    label.write(out, &counts)
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

/// Returns the edges that face the viewer.
fn mesh(globe: &Globe) -> String {
    let mut path = String::new();
    for edge in &globe.edges {
        let [(from, a), (to, b)] = edge.map(|corner| projected(globe.places[corner as usize]));
        if a + b > 0.0 {
            let [x, y] = from;
            write!(path, "M{x:.1} {y:.1}L{:.1} {:.1}", to[0], to[1]).expect("a string");
        }
    }
    path
}

/// Marks the places that face the viewer and are of this kind.
fn write_marks(out: &mut String, globe: &Globe, spots: &[Spot], mark: &Mark) -> fmt::Result {
    let mut path = String::new();
    let is_marked = |spot: &Spot| MARKS.iter().rfind(|mark| (mark.is_at)(spot));
    for (place, spot) in globe.places.iter().zip(spots) {
        let ([x, y], towards) = projected(*place);
        let is_this = is_marked(spot).is_some_and(|found| std::ptr::eq(found, mark));
        if towards > 0.0 && is_this {
            write!(path, "M{x:.1} {y:.1}h0")?;
        }
    }
    if path.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "<path class=\"{}\" d=\"{path}\" fill=\"none\" stroke=\"{}\" \
         stroke-width=\"{}\" stroke-linecap=\"round\"/>",
        mark.class, mark.colour, mark.width
    )
}

#[cfg(test)]
mod tests {
    use super::*;

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
            "tight,sphere,near,single,estoc,1,0,0,1000,0,,",
            "tight,sphere,near,single,parry,1,2,,1000,,,",
        ];
        let rows = lines.map(|line| Row::parse(line).expect("a row"));
        let text = globes(&globe, &rows);
        assert_eq!(text.matches("stroke-width=\"2.2\"").count(), 1, "{text}");
        assert_eq!(
            text.matches("h0").count(),
            3,
            "two of the legend, one in sight\n{text}"
        );
        for words in ["no leak", "2 leaks", "no wrong count", "does not list hits"] {
            assert!(text.contains(words), "{words}\n\n{text}");
        }
    }
}
