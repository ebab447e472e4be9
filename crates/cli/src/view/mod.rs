//! `estoc view`: serves a page to look at a mesh, click and measure.

mod link;
mod loader;
mod opened_model;
mod opener;

use crate::failure::Failure;
use crate::mesh_source::MeshSource;
use crate::output_name::Form;
use crate::session::Session;
use crate::tree_args::TreeArgs;
use crate::view_args;
use estoc::glam::Vec3;
use estoc_system::open_file;
use estoc_view::{ModelState, Server};
use loader::Loader;
use opener::Opener;
use serde_json::json;
use std::io;
use std::sync::Arc;

/// Serve a page to look at a mesh or a scene, click and measure, until Ctrl-C.
///
/// Prints the address of the page, on 127.0.0.1, and answers a browser on the same machine. Every pixel
/// is traced. Drag to orbit, scroll to zoom towards the pointer, click for everything that is known of a
/// point, with the estoc pick command that repeats it; ? lists all keys. demo:pick has moving objects.
///
/// The address holds a token in its fragment, without which nothing about the mesh is answered; do not
/// pass it on. A link that the page copies holds the view and the selection and not the token: --port
/// and --at reopen it.
///
/// With --json, prints an object of schema "estoc.view/1": address, port.
///
/// Example: estoc view bunny.obj --open
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A mesh file, a scene file, scene:FILE.glb, - for stdin, or demo:NAME
    #[arg(value_name = "MESH")]
    mesh: MeshSource,
    /// Open the page in the browser of the desktop
    #[arg(long)]
    open: bool,
    /// Load the mesh again when its file changes; one that cannot be read leaves the mesh as it was
    #[arg(long)]
    watch: bool,
    /// Port to listen on [default: a free one]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// A link that the page copied: begin with its view and selection
    #[arg(long, value_name = "LINK", value_parser = link::parse)]
    at: Option<String>,
    /// Up direction: an axis such as y, z or -z, or X,Y,Z [default: y]
    #[arg(long, value_name = "AXIS", value_parser = view_args::direction, allow_hyphen_values = true)]
    up: Option<Vec3>,
    #[command(flatten)]
    tree: TreeArgs,
}

pub(crate) fn run(args: &Args, session: &Session) -> Result<(), Failure> {
    if args.watch && args.mesh.files().is_empty() {
        return Err(Failure::Usage(format!(
            "{}: there is no file to watch; leave out --watch",
            args.mesh
        )));
    }
    if args.watch {
        refuse_streams(&args.mesh)?;
    }
    if !args.mesh.is_scene() {
        args.mesh.check()?;
    }
    let output = session.output(Form::Text, &args.mesh.files())?;
    let state = Arc::new(ModelState::new(args.mesh.to_string()).watched(args.watch));
    let server = Server::bind(args.port, state.clone())?;
    let address = server.address(args.at.as_deref().unwrap_or_default());
    let object = json!({
        "schema": "estoc.view/1",
        "address": address,
        "port": server.port(),
    });
    session.print(output, &format!("{address}\n"), &object)?;
    let told = session.notes();
    let by_hand = move |problem| told(&format!("{problem}; open the address by hand"));
    // Removed when it is dropped.
    let _opener = args.open.then(|| Opener::open(&address, by_hand));
    session.note("Ctrl-C ends the page");
    let told = state.clone();
    session.listen(Arc::new(move |doing, progress| {
        told.loading(doing, progress);
    }));
    let loader = Loader {
        source: &args.mesh,
        tree: args.tree,
        up: args.up,
        is_watching: args.watch,
        session,
        state: &state,
    };
    let (served, loaded) = std::thread::scope(|scope| {
        let loading = scope.spawn(|| {
            let loaded = loader.run();
            if loaded.is_err() {
                // Nothing can be shown: the server ends.
                session.cancel.cancel();
            }
            loaded
        });
        let served = server.run(&session.cancel);
        session.cancel.cancel();
        (served, loading.join())
    });
    loaded.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
    served?;
    session.check_interrupt()
}

/// Returns an error if a file is a pipe or the like, which cannot be read again: opening it would wait for
/// a writer.
fn refuse_streams(source: &MeshSource) -> Result<(), Failure> {
    for path in source.files() {
        match open_file(path) {
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
                return Err(Failure::Usage(format!(
                    "--watch {}: {error}",
                    path.display()
                )));
            }
            // Other errors are those of loading.
            _ => {}
        }
    }
    Ok(())
}
