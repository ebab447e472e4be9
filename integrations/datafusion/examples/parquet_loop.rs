//! From Parquet to Parquet by hand, for comparison with queries: one thread reads, a batch of all threads casts, one
//! thread writes.
//!
//! ```text
//! cargo run --release --example parquet_loop -- MESH.estoc RAYS.parquet OUT.parquet THREADS
//! ```
//!
//! The columns are those that this query reads and writes:
//! `SELECT ray_id, raycast('MESH.estoc', ox, oy, oz, dx, dy, dz)['t'] AS t, ['prim'], ['u'], ['v'] FROM rays`

use datafusion::arrow::array::{ArrayRef, AsArray, Float32Array, Int32Array, RecordBatch};
use datafusion::arrow::buffer::{BooleanBuffer, Buffer, NullBuffer};
use datafusion::arrow::datatypes::{DataType, Field, Float32Type, Schema};
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use datafusion::parquet::file::properties::WriterProperties;
use estoc::batch::{HitColumns, Rays, RaysSoA};
use estoc::query::Closest;
use estoc::{Batch, io::TreeFile};
use std::error::Error;
use std::fs::File;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::time::Instant;

/// The rays that are cast at a time.
const BLOCK: usize = 1 << 17;

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let arguments = std::env::args().skip(1).collect::<Vec<_>>();
    let [mesh, rays, out, threads] = arguments.as_slice() else {
        return Err("wanted are MESH RAYS OUT THREADS".into());
    };
    let start = Instant::now();
    let bvh = TreeFile::load(mesh)?.into_bvh();
    let loaded = start.elapsed();
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.parse()?)
        .build_global()?;
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(rays)?)?
        .with_batch_size(BLOCK)
        .build()?;
    let column = |name: &str, of: DataType, nulls: bool| Field::new(name, of, nulls);
    let mut fields = vec![column("ray_id", DataType::Int64, false)];
    fields.extend(["t", "u", "v"].map(|name| column(name, DataType::Float32, true)));
    fields.push(column("prim", DataType::Int32, true));
    let schema = Arc::new(Schema::new(fields));
    let properties = WriterProperties::builder()
        .set_dictionary_enabled(false)
        .build();
    let mut writer = ArrowWriter::try_new(File::create(out)?, schema.clone(), Some(properties))?;

    let (read, blocks) = sync_channel::<RecordBatch>(2);
    let (cast, answers) = sync_channel::<RecordBatch>(2);
    let mut rows = 0;
    std::thread::scope(|scope| {
        let reading = scope.spawn(move || {
            for batch in reader {
                if read.send(batch?).is_err() {
                    break;
                }
            }
            Ok::<_, Box<dyn Error + Send + Sync>>(())
        });
        let writing = scope.spawn(move || {
            for batch in answers {
                writer.write(&batch)?;
            }
            writer.close()?;
            Ok::<_, Box<dyn Error + Send + Sync>>(())
        });
        for block in blocks {
            rows += block.num_rows();
            let number = |name: &str| block[name].as_primitive::<Float32Type>().values();
            let soa = RaysSoA {
                ox: number("ox"),
                oy: number("oy"),
                oz: number("oz"),
                dx: number("dx"),
                dy: number("dy"),
                dz: number("dz"),
                t_min: None,
                t_max: None,
            };
            let hits: HitColumns = Batch::new().ask_as(&bvh, Closest, Rays::try_from(soa)?)?;
            let nulls = BooleanBuffer::new(Buffer::from_vec(hits.validity()), 0, hits.len());
            let nulls = Some(NullBuffer::new(nulls));
            let prim = hits
                .prim
                .into_iter()
                .map(|prim| prim as i32)
                .collect::<Vec<_>>();
            let reals = [hits.t, hits.u, hits.v];
            let mut columns = vec![block["ray_id"].clone()];
            columns.extend(
                reals.map(|reals| {
                    Arc::new(Float32Array::new(reals.into(), nulls.clone())) as ArrayRef
                }),
            );
            columns.push(Arc::new(Int32Array::new(prim.into(), nulls)));
            cast.send(RecordBatch::try_new(schema.clone(), columns)?)?;
        }
        drop(cast);
        reading.join().map_err(|_| "reading failed")??;
        writing.join().map_err(|_| "writing failed")?
    })?;
    let all = start.elapsed();
    println!(
        "{rows} rows in {:.2} s, of which loading {:.2} s",
        all.as_secs_f64(),
        loaded.as_secs_f64()
    );
    Ok(())
}
