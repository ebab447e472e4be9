//! Shared libraries that are opened at run time: the harness builds and runs without them.

use libloading::os::unix::Library;
use std::ffi::c_int;
use std::path::Path;
use std::sync::Arc;

/// Declares `Library` with its functions: each with its name in the library, and its parameters and
/// its result in the header.
macro_rules! functions {
    ($($field:ident = $name:literal: ($($parameter:ty),*) $(-> $result:ty)?;)*) => {
        /// The functions of the library, which stays open until the process ends.
        pub(super) struct Library {
            /// Its version and path.
            pub(super) description: String,
            $(pub(super) $field: unsafe extern "C" fn($($parameter),*) $(-> $result)?,)*
        }

        impl Library {
            /// # Safety
            /// The library has functions of these names and types.
            unsafe fn of(
                shared: &libloading::os::unix::Library,
            ) -> Result<Library, libloading::Error> {
                // SAFETY: the caller knows the types.
                unsafe {
                    Ok(Library {
                        description: String::new(),
                        $($field: *shared.get($name)?,)*
                    })
                }
            }
        }
    };
}
pub(super) use functions;

/// Opens the library of a peer that an environment variable names, which is to be set to `what`;
/// `None`, with a message on stderr, if there is none.
pub(super) fn locate<L>(
    peer: &str,
    [variable, what]: [&str; 2],
    open: fn(&Path) -> Result<L, String>,
) -> Option<Arc<L>> {
    let library = match std::env::var_os(variable) {
        Some(path) => open(path.as_ref()).map_err(|reason| format!("{variable}: {reason}")),
        None => Err(format!("{variable} is not set; set it to {what}")),
    };
    let library = library.inspect_err(|reason| eprintln!("skipped {peer}: {reason}"));
    Some(Arc::new(library.ok()?))
}

/// Opens a library for the rest of the process: threads that it starts may run in it until the end,
/// even after everything is released.
///
/// # Safety
/// Opening runs the library's initialisers; the caller knows that these set up their own statics
/// only.
pub(super) unsafe fn open(path: &Path, flags: c_int) -> Result<&'static Library, String> {
    // SAFETY: the caller knows the initialisers.
    let library = unsafe { Library::open(Some(path), flags) };
    let library = library.map_err(|error| error.to_string())?;
    Ok(Box::leak(Box::new(library)))
}
