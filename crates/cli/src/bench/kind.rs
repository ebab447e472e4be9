//! The kinds of rays, and the question asked about each.

/// A kind of rays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Kind {
    /// First hits of a picture's rays, neighbours side by side
    Primary,
    /// First hits from where primary rays hit, in directions about the normal
    Diffuse,
    /// First hits of rays from around the mesh through points in its box
    Random,
    /// Any hit on the way from where primary rays hit to a light
    Shadow,
    /// Any hit near where primary rays hit, in directions about the normal
    Ao,
    /// Any hit of the random rays
    RandomAny,
}

impl Kind {
    /// As written on the command line.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Kind::Primary => "primary",
            Kind::Diffuse => "diffuse",
            Kind::Random => "random",
            Kind::Shadow => "shadow",
            Kind::Ao => "ao",
            Kind::RandomAny => "random-any",
        }
    }

    /// Whether any hit is asked for, not the first one.
    pub(super) const fn is_any(self) -> bool {
        matches!(self, Kind::Shadow | Kind::Ao | Kind::RandomAny)
    }
}
