//! The kinds of rays that are measured: those of `estoc bench`, and some of this comparison.

use estoc_demo::ray_kinds::RayKind;

/// A kind of rays, with the question that they ask.
///
/// Rays that miss everything at the root show the cost of a call alone. They say nothing about a
/// scene, so `estoc bench` does not have them, and they are part of no mean over kinds of rays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A kind that `estoc bench` has, too.
    Shared(RayKind),
    /// First hits of the random rays, reversed: they point away from the box of the mesh.
    Missed,
    /// First hits of a camera between the things of a world, at the height of a person.
    Street,
    /// First hits of a camera above a corner of a world.
    Above,
}

impl Kind {
    /// All kinds of rays in a mesh, in the order of the tables.
    pub(crate) const ALL: [Kind; 7] = [
        Kind::Shared(RayKind::Primary),
        Kind::Shared(RayKind::Diffuse),
        Kind::Shared(RayKind::Random),
        Kind::Shared(RayKind::Shadow),
        Kind::Shared(RayKind::Ao),
        Kind::Shared(RayKind::RandomAny),
        Kind::Missed,
    ];

    /// All kinds of rays in a world of placed meshes.
    pub(crate) const OF_WORLDS: [Kind; 6] = [
        Kind::Street,
        Kind::Above,
        Kind::Shared(RayKind::Diffuse),
        Kind::Shared(RayKind::Random),
        Kind::Shared(RayKind::Shadow),
        Kind::Shared(RayKind::RandomAny),
    ];

    /// Returns the name on the command line and in rows.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Kind::Shared(kind) => kind.name(),
            Kind::Missed => "missed",
            Kind::Street => "street",
            Kind::Above => "above",
        }
    }

    /// Returns the kind of rays that has this name.
    pub(crate) fn of_name(name: &str) -> Option<Kind> {
        let mut kinds = Kind::ALL.into_iter().chain(Kind::OF_WORLDS);
        kinds.find(|kind| kind.name() == name)
    }

    /// Returns whether the rays ask for any hit rather than the first one.
    pub(crate) const fn is_any(self) -> bool {
        match self {
            Kind::Shared(kind) => kind.is_any(),
            Kind::Missed | Kind::Street | Kind::Above => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_kinds_of_estoc_bench_are_here() {
        let shared: Vec<Kind> = RayKind::ALL.into_iter().map(Kind::Shared).collect();
        assert_eq!(Kind::ALL[..6], shared[..]);
        for kind in Kind::ALL.into_iter().chain(Kind::OF_WORLDS) {
            assert_eq!(Kind::of_name(kind.name()), Some(kind));
        }
    }
}
