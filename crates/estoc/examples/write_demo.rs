//! Writes a demo scene as an OBJ file, with its materials next to it: `cargo run --release
//! --features examples -p estoc --example write_demo -- 'hall?n=10000' data/hall.obj`.

use estoc::demo::DemoSpec;
use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(scene), Some(obj)) = (args.next(), args.next().map(PathBuf::from)) else {
        return Err("usage: write_demo SCENE FILE.obj".into());
    };
    let spec: DemoSpec = scene.parse()?;
    let scene = spec.polygons();
    let mtl = obj.with_extension("mtl");
    let mtl_name = mtl.file_name().and_then(|name| name.to_str());

    let mut out = BufWriter::new(File::create(&obj)?);
    writeln!(out, "# estoc demo:{spec}")?;
    scene.write_obj(&mut out, mtl_name)?;
    out.flush()?;
    let mut out = BufWriter::new(File::create(&mtl)?);
    writeln!(out, "# estoc demo:{spec}")?;
    scene.write_mtl(&mut out)?;
    out.flush()?;
    println!("{}: {} triangles", obj.display(), scene.triangle_count());
    Ok(())
}
