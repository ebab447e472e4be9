//! Finds the hit after which a query continues.

use super::{IdOf, RayEngine};
use crate::collect::{Primitive, QueryError, RayTest};
use crate::exact::PreparedRay;
use crate::shapes::RayKind;

/// Returns the hit after which a query continues.
#[inline(never)]
pub(crate) fn find_after<R: RayKind, E: RayEngine<R> + ?Sized>(
    engine: &E,
    ray: Option<&PreparedRay<'_, R>>,
    id: IdOf<E>,
) -> Result<<E::Primitive as Primitive>::Touch, QueryError> {
    let prim = <E::Primitive as Primitive>::prim(id);
    let primitive = match ray {
        Some(ray) => engine.primitive_for(ray, id),
        None => engine.primitive(id),
    };
    let primitive = primitive.ok_or(QueryError::NoSuchPrim {
        prim,
        triangles: engine.primitive_count(),
    })?;
    ray.and_then(|ray| primitive.touch(ray, id, f64::INFINITY))
        .ok_or(QueryError::AfterMissed { prim })
}
