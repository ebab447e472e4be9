//! The scenes by name.

use super::gallery;

/// The generated scenes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Demo {
    /// A closed, welded sphere of radius 1 around the origin.
    Sphere,
    /// Ridges and valleys over a square of 1000 by 1000, y up.
    Terrain,
    /// An architectural hall, seen from inside, in metres, y up.
    Hall,
    /// Closed solids in a row, of quads, pentagons and concave polygons.
    Solids,
    /// Unconnected triangles in a box of 10 by 10 by 10.
    Soup,
    /// A hollow teapot with spout, handle and lid: two closed surfaces, about 2 long and 1 high, y
    /// up, standing on y = 0.
    Teapot,
    /// A hall of two storeys, seen from inside, in metres, y up: triangles of very uneven size,
    /// many of them long and thin.
    Gallery,
    /// Fractal noise over a square of 100 by 100, y up: uniform triangles in one layer.
    Mountains,
    /// Small triangles anywhere in the cube from 0 to 1, without structure that a tree could exploit.
    Specks,
    /// Curved ribbons that grow out of a ball around the origin: long thin triangles, none axis-aligned.
    Hairball,
    /// A closed box of side 1 that stands on y = 0 above the origin.
    Box,
    /// A closed tower on a square of 18 by 18, with recessed windows, y up; `n` decides its height.
    Tower,
    /// A closed building of five storeys around three sides of a court, 40 by 30, y up.
    Court,
    /// A closed house of two storeys with a gabled roof, 14 by 9, y up.
    House,
}

impl Demo {
    /// The scenes for users.
    pub const ALL: [Demo; 6] = [
        Demo::Sphere,
        Demo::Terrain,
        Demo::Hall,
        Demo::Solids,
        Demo::Soup,
        Demo::Teapot,
    ];

    /// The scenes for comparisons with other libraries, of triangles without names.
    pub const MEASURED: [Demo; 4] = [Demo::Gallery, Demo::Mountains, Demo::Specks, Demo::Hairball];

    /// Small closed meshes that scenes place many times.
    pub const PLACED: [Demo; 4] = [Demo::Box, Demo::Tower, Demo::Court, Demo::House];

    /// Returns the name used in a [`DemoSpec`](crate::DemoSpec).
    pub const fn name(self) -> &'static str {
        self.name_and_default_n().0
    }

    /// Returns the default number of triangles.
    pub const fn default_n(self) -> usize {
        self.name_and_default_n().1
    }

    const fn name_and_default_n(self) -> (&'static str, usize) {
        match self {
            Demo::Sphere => ("sphere", 20_000),
            Demo::Terrain => ("terrain", 200_000),
            Demo::Hall => ("hall", 40_000),
            Demo::Solids => ("solids", 2_000),
            Demo::Soup => ("soup", 10_000),
            Demo::Teapot => ("teapot", 20_000),
            Demo::Gallery => ("gallery", gallery::TRIANGLES),
            Demo::Mountains => ("mountains", 2_000_000),
            Demo::Specks => ("specks", 1_000_000),
            Demo::Hairball => ("hairball", 1_000_000),
            Demo::Box => ("box", 12),
            Demo::Tower => ("tower", 6_000),
            Demo::Court => ("court", 3_000),
            Demo::House => ("house", 500),
        }
    }

    /// Returns whether the scene has random numbers that a seed chooses.
    pub const fn has_seed(self) -> bool {
        matches!(self, Demo::Sphere | Demo::Terrain | Demo::Soup)
    }

    /// Returns a phrase with the keys of the scene.
    pub(crate) const fn keys(self) -> &'static str {
        if self.has_seed() {
            "its keys are n and seed"
        } else {
            "its only key is n"
        }
    }
}
