//! Plans as bytes.

use crate::data::{RAY, TestMesh, bits_of, expected, fields, random_rays, write_parquet};
use datafusion::physical_plan::collect;
use datafusion::prelude::{ParquetReadOptions, SessionContext};
use datafusion_proto::bytes::{
    logical_plan_from_bytes_with_extension_codec, logical_plan_to_bytes_with_extension_codec,
    physical_plan_from_bytes_with_extension_codec, physical_plan_to_bytes_with_extension_codec,
};
use datafusion_proto::logical_plan::DefaultLogicalExtensionCodec;
use datafusion_proto::physical_plan::DefaultPhysicalExtensionCodec;
use estoc_datafusion::{RaycastLogicalCodec, RaycastPhysicalCodec};
use std::sync::Arc;

async fn query(mesh: &TestMesh) -> (SessionContext, datafusion::dataframe::DataFrame) {
    let session = estoc_datafusion::session(Default::default());
    let folder = mesh.folder.path().join("rays");
    write_parquet(&folder, &random_rays(&mesh.bvh, 300, 1), 2);
    session
        .register_parquet(
            "rays",
            folder.to_str().unwrap(),
            ParquetReadOptions::default(),
        )
        .await
        .unwrap();
    // All bits, so that rays see all.
    let m = format!(
        "raycast('{}', {RAY}, NULL, NULL, -1 - ray_id * 0)",
        mesh.path.display()
    );
    let sql = format!(
        "SELECT {} FROM rays WHERE {m}['t'] IS NOT NULL OR ray_id >= 0 ORDER BY ray_id",
        fields(&m)
    );
    let plan = session.sql(&sql).await.unwrap();
    (session, plan)
}

#[tokio::test]
async fn physical_plans_come_back() {
    let mesh = TestMesh::new("terrain?n=500");
    let (session, plan) = query(&mesh).await;
    let plan = plan.create_physical_plan().await.unwrap();
    let codec = RaycastPhysicalCodec::new(Arc::new(DefaultPhysicalExtensionCodec {}));
    let bytes = physical_plan_to_bytes_with_extension_codec(Arc::clone(&plan), &codec).unwrap();
    let again =
        physical_plan_from_bytes_with_extension_codec(&bytes, &session.task_ctx(), &codec).unwrap();
    let text = |plan: &Arc<dyn datafusion::physical_plan::ExecutionPlan>| {
        datafusion::physical_plan::displayable(plan.as_ref())
            .indent(false)
            .to_string()
    };
    assert!(text(&plan).contains("RaycastExec"), "{}", text(&plan));
    assert_eq!(text(&again), text(&plan));
    let rays = random_rays(&mesh.bvh, 300, 1);
    assert_eq!(
        bits_of(&collect(again, session.task_ctx()).await.unwrap()),
        expected(&mesh.bvh, &rays)
    );
    for end in 0..bytes.len() {
        // Never a panic; the last bytes may be those of an optional field.
        let _ = physical_plan_from_bytes_with_extension_codec(
            &bytes[..end],
            &session.task_ctx(),
            &codec,
        );
    }
}

#[tokio::test]
async fn logical_plans_come_back() {
    let mesh = TestMesh::new("terrain?n=500");
    let (session, plan) = query(&mesh).await;
    // Tables of Parquet files are known to DataFusion's own codec.
    let codec = RaycastLogicalCodec::new(Arc::new(DefaultLogicalExtensionCodec {}));
    let optimized = plan.into_optimized_plan().unwrap();
    let bytes = logical_plan_to_bytes_with_extension_codec(&optimized, &codec).unwrap();
    let again =
        logical_plan_from_bytes_with_extension_codec(&bytes, &session.task_ctx(), &codec).unwrap();
    let text = again.display_indent().to_string();
    assert!(text.contains("Raycast: mesh="), "{text}");
    assert_eq!(text, optimized.display_indent().to_string());
    let rays = random_rays(&mesh.bvh, 300, 1);
    let found = session
        .execute_logical_plan(again)
        .await
        .unwrap()
        .collect()
        .await
        .unwrap();
    assert_eq!(bits_of(&found), expected(&mesh.bvh, &rays));
}
