//! Rays of data frames.

use crate::{HitColumn, MeshCache, NamedHitColumn, RayColumns, Raycast, RaycastError, RaycastNode};
use datafusion::common::Result;
use datafusion::dataframe::DataFrame;

/// Casts the rays of a data frame.
pub trait RaycastExt: Sized {
    /// Adds the columns `t`, `prim`, `u` and `v` of the closest hit of each ray, which are null for a miss.
    ///
    /// `mesh` is the path of a mesh or a tree file, or its URI `file:///path`; a hash may follow, as in
    /// `terrain.estoc#0123456789abcdef`. `t` is in units of the length of the direction. Numbers of `f64` and
    /// integers are rounded once to `f32`. A ray with a null or a NaN is undefined and misses, but a null
    /// bound or mask has its default: 0, infinity, all bits.
    ///
    /// # Errors
    /// [`RaycastError`] when the mesh cannot be used, or the columns are missing or no numbers.
    ///
    /// ```
    /// use estoc_datafusion::{RayColumns, RaycastExt, session};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> datafusion::error::Result<()> {
    /// let mesh = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/sphere.obj");
    /// let rays = session(Default::default()).sql("SELECT 0 ox, 0 oy, 5 oz, 0 dx, 0 dy, -1 dz").await?;
    /// let hits = rays.raycast(mesh, &RayColumns::default())?.select_columns(&["t", "prim"])?;
    /// assert_eq!(hits.count().await?, 1);
    /// # Ok(())
    /// # }
    /// ```
    fn raycast(self, mesh: &str, columns: &RayColumns) -> Result<Self>;
}

impl RaycastExt for DataFrame {
    fn raycast(self, mesh: &str, columns: &RayColumns) -> Result<Self> {
        let mesh = MeshCache::of_process().reference_beside(mesh)?;
        let answer = |column: HitColumn| NamedHitColumn {
            column,
            name: columns.answer(column.name()),
        };
        let answers: Vec<_> = HitColumn::all().map(answer).collect();
        for NamedHitColumn { name, .. } in &answers {
            if self
                .schema()
                .fields()
                .iter()
                .any(|field| field.name() == name)
            {
                return Err(RaycastError::ColumnExists { name: name.clone() }.into());
            }
        }
        let (state, plan) = self.into_parts();
        // Names are looked up in the table as those of `DataFrame::select` are.
        let rays = columns.expressions().into_iter();
        let rays =
            rays.map(|ray| datafusion::logical_expr::expr_rewriter::normalize_col(ray, &plan));
        let raycast = Raycast {
            mesh,
            answers,
            rays: rays.collect::<Result<_>>()?,
        };
        let plan = RaycastNode::try_new(plan, raycast)?.into_plan();
        Ok(DataFrame::new(state, plan))
    }
}
