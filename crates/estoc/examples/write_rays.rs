//! Draws rays that are hard for trees from a mesh and writes them as CSV to stdout: `cargo run
//! --release --features examples -p estoc --example write_rays -- data/sphere.obj 200 1`.

use estoc::Mesh;
use estoc::demo::RaySampler;
use std::error::Error;
use std::io::{BufWriter, Write};

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [obj, count, seed] = &args[..] else {
        return Err("usage: write_rays FILE.obj COUNT SEED".into());
    };
    let mesh = Mesh::load_obj(obj)?;
    let rays = RaySampler::new(&mesh, seed.parse()?).take(count.parse()?);
    let mut out = BufWriter::new(std::io::stdout().lock());
    writeln!(out, "ox,oy,oz,dx,dy,dz,tmin,tmax")?;
    for ray in rays {
        let [ox, oy, oz] = ray.origin.to_array();
        let [dx, dy, dz] = ray.dir.to_array();
        let (t_min, t_max) = (ray.t_min, ray.t_max);
        writeln!(out, "{ox},{oy},{oz},{dx},{dy},{dz},{t_min},{t_max}")?;
    }
    out.flush()?;
    Ok(())
}
