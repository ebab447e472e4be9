//! The line of text that specifies a scene.

use super::{
    Polygons, buildings, gallery, hairball, hall, mountains, solids, soup, specks, sphere, teapot,
};
use crate::demo::Demo;
use crate::terrain;
use crate::triangle_list::TriangleList;
use estoc_mesh::Mesh;
use std::fmt;
use std::str::FromStr;

/// A scene with its size and seed. Parsed from `NAME` or `NAME?n=COUNT&seed=NUMBER`; `Display`
/// prints the full form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DemoSpec {
    demo: Demo,
    n: usize,
    seed: u64,
}

impl DemoSpec {
    /// The largest number of triangles.
    pub const MAX_N: usize = 50_000_000;

    /// Returns the scene in its default size with seed 0.
    pub const fn new(demo: Demo) -> Self {
        DemoSpec {
            demo,
            n: demo.default_n(),
            seed: 0,
        }
    }

    /// Sets the approximate number of triangles, clamped between 1 and [`DemoSpec::MAX_N`].
    #[must_use]
    pub fn n(self, n: usize) -> Self {
        let n = n.clamp(1, Self::MAX_N);
        DemoSpec { n, ..self }
    }

    /// Sets the seed; a scene without random numbers ignores it.
    #[must_use]
    pub const fn seed(self, seed: u64) -> Self {
        let seed = if self.demo.has_seed() { seed } else { 0 };
        DemoSpec { seed, ..self }
    }

    /// Returns the scene.
    pub const fn demo(&self) -> Demo {
        self.demo
    }

    /// Generates the scene as a mesh: the one that its OBJ text gives, with the same triangles in
    /// the same order and the same names.
    pub fn mesh(&self) -> Mesh {
        match self.make() {
            Made::Polygons(polygons) => polygons.into_mesh(&format!("demo:{self}")),
            Made::Triangles(triangles) => triangles.into_mesh(),
        }
    }

    /// Returns how many bytes [`mesh`](Self::mesh) holds at a time, at most, the mesh included. It
    /// ends the process when there is no memory, so ask the system before.
    pub const fn bytes_to_make(&self) -> usize {
        // By way of OBJ text, which is longest where triangles share no corners.
        let a_triangle = match self.demo {
            Demo::Soup => 640,
            Demo::Gallery | Demo::Mountains | Demo::Specks | Demo::Hairball => 400,
            _ => 320,
        };
        self.n * a_triangle + (1 << 20)
    }

    /// Generates the scene as polygons, which can be written to a file.
    pub fn polygons(&self) -> Polygons {
        match self.make() {
            Made::Polygons(polygons) => polygons,
            Made::Triangles(triangles) => triangles.into_polygons(),
        }
    }

    fn make(&self) -> Made {
        match self.demo {
            Demo::Sphere => Made::Polygons(sphere::sphere(self.n, self.seed)),
            Demo::Terrain => Made::Polygons(terrain::terrain(self.n, self.seed)),
            Demo::Hall => Made::Polygons(hall::hall(self.n)),
            Demo::Solids => Made::Polygons(solids::solids(self.n)),
            Demo::Soup => Made::Polygons(soup::soup(self.n, self.seed)),
            Demo::Teapot => Made::Polygons(teapot::teapot(self.n)),
            Demo::Box => Made::Polygons(buildings::unit_box(self.n)),
            Demo::Tower => Made::Polygons(buildings::tower(self.n)),
            Demo::Court => Made::Polygons(buildings::court(self.n)),
            Demo::House => Made::Polygons(buildings::house(self.n)),
            Demo::Gallery => Made::Triangles(gallery::gallery(self.n)),
            Demo::Mountains => Made::Triangles(mountains::mountains(self.n)),
            Demo::Specks => Made::Triangles(specks::specks(self.n)),
            Demo::Hairball => Made::Triangles(hairball::hairball(self.n)),
        }
    }
}

/// The output of a generator.
enum Made {
    Polygons(Polygons),
    Triangles(TriangleList),
}

impl fmt::Display for DemoSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}?n={}", self.demo.name(), self.n)?;
        if self.demo.has_seed() {
            write!(f, "&seed={}", self.seed)?;
        }
        Ok(())
    }
}

/// Why a line of text is not a scene.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DemoError {
    /// No scene has this name.
    #[error("there is no demo scene {name:?}: choose one of {}", known_names())]
    UnknownScene {
        /// The name given.
        name: String,
    },
    /// The scene has no such key.
    #[error("the demo scene {} has no key {key:?}: {}", demo.name(), demo.keys())]
    UnknownKey {
        /// The scene.
        demo: Demo,
        /// The key given.
        key: String,
    },
    /// A key occurs twice.
    #[error("the key {key} is given twice; remove one of them")]
    RepeatedKey {
        /// The key.
        key: &'static str,
    },
    /// The value of a key is not a number in range.
    #[error("{key}={value:?} is not a whole number from {min} to {max}")]
    BadValue {
        /// The key.
        key: &'static str,
        /// The value given.
        value: String,
        /// The smallest value allowed.
        min: u64,
        /// The largest value allowed.
        max: u64,
    },
}

fn all_demos() -> impl Iterator<Item = Demo> {
    let all = Demo::ALL.into_iter().chain(Demo::PLACED);
    all.chain(Demo::MEASURED)
}

fn known_names() -> String {
    let names: Vec<&str> = all_demos().map(Demo::name).collect();
    names.join(", ")
}

impl FromStr for DemoSpec {
    type Err = DemoError;

    fn from_str(text: &str) -> Result<Self, DemoError> {
        let (name, settings) = text.split_once('?').unwrap_or((text, ""));
        let demo = all_demos()
            .find(|demo| demo.name() == name)
            .ok_or_else(|| DemoError::UnknownScene { name: name.into() })?;
        let mut spec = DemoSpec::new(demo);
        let (mut has_n, mut has_seed) = (false, false);
        for setting in settings.split('&').filter(|setting| !setting.is_empty()) {
            match setting.split_once('=').unwrap_or((setting, "")) {
                ("n", _) if has_n => return Err(DemoError::RepeatedKey { key: "n" }),
                ("seed", _) if has_seed => return Err(DemoError::RepeatedKey { key: "seed" }),
                ("n", value) => {
                    has_n = true;
                    spec.n = number("n", value, 1, Self::MAX_N as u64)? as usize;
                }
                ("seed", value) if demo.has_seed() => {
                    has_seed = true;
                    spec.seed = number("seed", value, 0, u64::MAX)?;
                }
                (key, _) => {
                    let key = key.into();
                    return Err(DemoError::UnknownKey { demo, key });
                }
            }
        }
        Ok(spec)
    }
}

fn number(key: &'static str, value: &str, min: u64, max: u64) -> Result<u64, DemoError> {
    let parsed = value.parse().ok().filter(|n| (min..=max).contains(n));
    parsed.ok_or_else(|| DemoError::BadValue {
        key,
        value: value.into(),
        min,
        max,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_and_printed_in_full() {
        for (line, full) in [
            ("sphere", "sphere?n=20000&seed=0"),
            (
                "soup?seed=18446744073709551615&n=7",
                "soup?n=7&seed=18446744073709551615",
            ),
            ("hall?n=5", "hall?n=5"),
            ("terrain?", "terrain?n=200000&seed=0"),
        ] {
            let spec: DemoSpec = line.parse().unwrap();
            assert_eq!(spec.to_string(), full);
            assert_eq!(full.parse(), Ok(spec));
        }
    }

    #[test]
    fn errors_name_what_is_known() {
        let message = |line: &str| line.parse::<DemoSpec>().unwrap_err().to_string();
        assert_eq!(
            message("kettle?n=5"),
            "there is no demo scene \"kettle\": choose one of sphere, terrain, hall, solids, soup, \
             teapot, box, tower, court, house, gallery, mountains, specks, hairball"
        );
        assert_eq!(
            message("hall?seed=1"),
            "the demo scene hall has no key \"seed\": its only key is n"
        );
        assert_eq!(
            message("soup?size=1"),
            "the demo scene soup has no key \"size\": its keys are n and seed"
        );
        assert_eq!(
            message("sphere?n=5&n=6"),
            "the key n is given twice; remove one of them"
        );
        assert!(message("sphere?seed=1&n=5&seed=1").contains("key seed is given twice"));
        for line in [
            "soup?n=0",
            "soup?n=",
            "soup?n",
            "soup?n=-1",
            "soup?n=1e6",
            "soup?seed=x",
        ] {
            assert!(
                message(line).contains("is not a whole number from"),
                "{line}"
            );
        }
    }

    #[test]
    fn scenes_are_near_the_size_asked_for_and_without_fault() {
        for demo in Demo::ALL.into_iter().chain(Demo::PLACED) {
            for n in [1, 3000, 50_000] {
                let spec = DemoSpec::new(demo).n(n).seed(3);
                let mesh = spec.mesh();
                let got = mesh.triangle_count();
                assert_eq!(got, spec.polygons().triangle_count(), "{spec}");
                assert!(n < 50_000 || got.abs_diff(n) < n / 3, "{got} for {spec}");
                let warnings: Vec<String> = mesh
                    .report()
                    .warnings()
                    .iter()
                    .map(ToString::to_string)
                    .collect();
                assert_eq!(warnings, Vec::<String>::new(), "{spec}");
            }
        }
    }

    #[test]
    fn measured_scenes_are_near_the_size_asked_for_and_equal_their_obj_text() {
        for demo in Demo::MEASURED {
            for n in [1, 3000, 50_000] {
                let spec = DemoSpec::new(demo).n(n);
                let got = spec.mesh().triangle_count();
                assert!(n < 50_000 || got.abs_diff(n) < n / 3, "{got} for {spec}");
                assert_eq!(spec.to_string().parse(), Ok(spec));
            }
            let spec = DemoSpec::new(demo).n(3000);
            let (mesh, read) = (spec.mesh(), spec.polygons().into_mesh("text"));
            assert_eq!(mesh.indices(), read.indices(), "{spec}");
            let bits = |mesh: &Mesh| -> Vec<[u32; 3]> {
                let positions = mesh.positions().iter();
                positions.map(|p| p.to_array().map(f32::to_bits)).collect()
            };
            assert_eq!(bits(&mesh), bits(&read), "{spec}");
        }
    }

    /// Returns a hash of all bits of a scene (FNV-1a).
    fn fingerprint(line: &str) -> u64 {
        let mesh = line.parse::<DemoSpec>().unwrap().mesh();
        let positions = mesh
            .positions()
            .iter()
            .flat_map(|p| p.to_array().map(f32::to_bits));
        let indices = mesh.indices().as_flattened().iter().copied();
        positions
            .chain(indices)
            .flat_map(u32::to_le_bytes)
            .fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
            })
    }

    #[test]
    fn scenes_have_the_same_bits_everywhere() {
        let found = [
            "sphere?n=1000&seed=5",
            "terrain?n=1000&seed=5",
            "hall?n=1",
            "solids?n=1000",
            "soup?n=1000&seed=5",
            "teapot?n=1000",
            "box?n=100",
            "tower?n=1000",
            "court?n=1000",
            "house?n=1000",
        ]
        .map(|line| format!("{line} {:#018x}", fingerprint(line)));
        assert_eq!(found, FINGERPRINTS);
    }

    /// The gallery has the size used in published tables; the others are smaller.
    #[test]
    fn measured_scenes_have_the_same_bits_everywhere() {
        let found = [
            "gallery",
            "mountains?n=1000",
            "specks?n=1000",
            "hairball?n=1000",
        ]
        .map(|line| format!("{line} {:#018x}", fingerprint(line)));
        assert_eq!(found, MEASURED_FINGERPRINTS);
    }

    const MEASURED_FINGERPRINTS: [&str; 4] = [
        "gallery 0x82d684ffa320d3ed",
        "mountains?n=1000 0x5765e3a6a895083a",
        "specks?n=1000 0xeed6a7301cf90649",
        "hairball?n=1000 0x7d884b55d7315719",
    ];

    const FINGERPRINTS: [&str; 10] = [
        "sphere?n=1000&seed=5 0x203bf434fff45b35",
        "terrain?n=1000&seed=5 0x606c907ec5badb67",
        "hall?n=1 0xfc7ccd9bb3202dad",
        "solids?n=1000 0x10b42e2b0b166811",
        "soup?n=1000&seed=5 0xac89f124cbc2cb53",
        "teapot?n=1000 0xdf02e705a801f08a",
        "box?n=100 0xa424fef537cf50e5",
        "tower?n=1000 0x7975534275bd22ae",
        "court?n=1000 0xcb3885951bffed55",
        "house?n=1000 0x9ddea0a265dd3463",
    ];
}
