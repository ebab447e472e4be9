//! Options that all verbs share.

use crate::byte_size;
use crate::local_frame;
use crate::precision::Precision;
use crate::weld;
use estoc::io::{LocalFrame, Weld};
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(next_help_heading = "Options of every verb")]
pub(crate) struct CommonOptions {
    /// Print one JSON object instead of text or CSV; its field "schema" names its format. A failure
    /// is also an object on stdout: {"schema": "estoc.error/1", "error": {status, message}}
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Write the result to a file, which appears complete or not at all; - is stdout
    #[arg(long, short, global = true, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Print nothing but errors on stderr
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// Use N threads instead of one per core; the result does not depend on it
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Skip and count unusable faces instead of rejecting the mesh
    #[arg(long, global = true)]
    pub(crate) skip_bad_faces: bool,
    /// Load mesh files in a local frame: numbers are kept relative to an origin near them, so that those
    /// far from 0, such as on maps, keep their digits. auto chooses the origin from the file; give files
    /// that share borders the same X,Y,Z. Rays, points, planes, views and results are in the coordinates
    /// of the file all the same
    #[arg(long, global = true, value_name = "auto|X,Y,Z", value_parser = local_frame::parse,
          allow_hyphen_values = true)]
    pub(crate) local_frame: Option<LocalFrame>,
    /// Keep the corners of mesh files in f32 or in f64. With f64, rays and points are used in f64, too, and
    /// answers are the nearest f64 to the exact values; it takes about 1.4 times the memory and 1.1 to 1.8
    /// times the time. All verbs but verify and bench take meshes in f64. Objects of scene files that have no
    /// precision are in f32, unless f64 is given here
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "NUMBERS",
        default_value_t
    )]
    pub(crate) precision: Precision,
    /// Join corners of mesh files that are at most D apart, for seams that are open by the noise of the
    /// program that wrote them; chains of such distances connect, and each cluster becomes its least
    /// position. auto takes the least distance that closes the mesh, up to a millionth of its size.
    /// D is in the unit of the file, and each mesh of a scene is welded by itself
    #[arg(long, global = true, value_name = "D|auto", value_parser = weld::parse,
          allow_negative_numbers = true)]
    pub(crate) weld: Option<Weld>,
    /// Reject a mesh file with more bytes than this after decompression; K, M, G and T are powers
    /// of 1024 [default: 4G for files compressed with gzip or zstd, else no limit]
    #[arg(long, global = true, value_name = "BYTES", value_parser = byte_size::parse)]
    pub(crate) max_input: Option<u64>,
    /// Limit the memory for building a tree, including the tree. If it may be too small for the
    /// fast layout, the compact layout is used, unless --layout is given; if it is too small for
    /// that, the build fails [default: no limit]. Rays, points and results of files take this much
    /// beside the tree, at most [default: 1G]
    #[arg(long, global = true, value_name = "BYTES", value_parser = byte_size::parse)]
    pub(crate) memory: Option<u64>,
}

impl CommonOptions {
    /// Returns the file for the result; `None` for stdout.
    pub(crate) fn out_file(&self) -> Option<PathBuf> {
        self.out.clone().filter(|out| out.as_os_str() != "-")
    }
}
