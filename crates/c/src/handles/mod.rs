//! The objects that the host holds by handles.

mod table;

use crate::call::{Call, call, null};
use crate::lists::Lists;
use crate::mesh::Mesh;
use crate::scene::Scene;
use crate::status::{Failure, estoc_status};
use crate::world::World;
use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ptr;
use table::{Refused, Table};

/// A mesh: corners and triangles, which were checked. It does not change.
pub struct estoc_mesh {
    _opaque: (),
}

/// What answers questions: the tree of a mesh, or a scene as it was when it was committed. It does not change.
pub struct estoc_world {
    _opaque: (),
}

/// A scene that can be changed: worlds that are placed by matrices.
pub struct estoc_scene {
    _opaque: (),
}

/// A list of answers for each item of a question.
pub struct estoc_lists {
    _opaque: (),
}

pub(crate) enum Object {
    Mesh(Mesh),
    World(World),
    Scene(Scene),
    Lists(Lists),
}

static TABLE: Table<Object> = Table::new();

/// A kind of object.
pub(crate) trait Held: Sized {
    /// What the host has a pointer to, as far as it knows.
    type Handle;
    /// The kind, with its article.
    const NAME: &str;

    fn of(object: &Object) -> Option<&Self>;

    fn into_object(self) -> Object;
}

macro_rules! kinds {
    ($($kind:ident: $handle:ty, $name:literal;)*) => {
        $(impl Held for $kind {
            type Handle = $handle;
            const NAME: &str = $name;

            #[inline(always)]
            fn of(object: &Object) -> Option<&Self> {
                match object {
                    Object::$kind(found) => Some(found),
                    _ => None,
                }
            }

            fn into_object(self) -> Object {
                Object::$kind(self)
            }
        })*

        impl Object {
            fn name(&self) -> &'static str {
                match self {
                    $(Object::$kind(_) => $kind::NAME,)*
                }
            }
        }
    };
}

kinds! {
    Mesh: estoc_mesh, "a mesh";
    World: estoc_world, "a world";
    Scene: estoc_scene, "a scene";
    Lists: estoc_lists, "lists of answers";
}

/// Returns the object of a handle for the time of a call.
#[inline(always)]
pub(crate) fn get<T: Held>(_call: &Call, handle: *const T::Handle) -> Result<&T, Failure> {
    // SAFETY: the reference exists for the time of the call, in which the host does not release the last reference to an
    // object that the call was given: `estoc.h` requires it of every function.
    match unsafe { TABLE.get(handle.addr()) } {
        Ok(object) => T::of(object).ok_or_else(|| {
            let sentence = format!(
                "{} is needed, and the handle is that of {}",
                T::NAME,
                object.name()
            );
            Failure::new(estoc_status::ESTOC_WRONG_KIND, sentence)
        }),
        Err(refused) => Err(refusal(refused, handle.addr(), T::NAME)),
    }
}

#[cold]
fn refusal(refused: Refused, handle: usize, name: &str) -> Failure {
    let (status, sentence) = match refused {
        Refused::Unknown if handle == 0 => return null(name),
        Refused::Unknown => (
            estoc_status::ESTOC_NOT_A_HANDLE,
            format!("{handle:#x} is no handle, and never was; {name} is needed"),
        ),
        Refused::Released => (
            estoc_status::ESTOC_RELEASED,
            format!("the object of handle {handle:#x} was released; {name} is needed"),
        ),
        Refused::TooMany => (
            estoc_status::ESTOC_TOO_MANY,
            "the object has 4,294,967,295 references, and no more can be counted".to_owned(),
        ),
    };
    Failure::new(status, sentence)
}

/// Makes a handle with one reference.
pub(crate) fn give<T: Held>(
    object: T,
    to: &mut MaybeUninit<*mut T::Handle>,
) -> Result<(), Failure> {
    let handle = TABLE.add(object.into_object()).ok_or_else(|| {
        let sentence = "there is no memory for another handle, or there are 4,194,304 already";
        Failure::new(estoc_status::ESTOC_TOO_MANY, sentence)
    })?;
    to.write(ptr::without_provenance_mut(handle));
    Ok(())
}

/// Adds a reference to an object of any kind, which then has to be released once more. Threads: any.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_retain(handle: *const c_void) -> estoc_status {
    call(|_| {
        let refused = |refused| refusal(refused, handle.addr(), "any object");
        TABLE.retain(handle.addr()).map_err(refused)
    })
}

/// Releases a reference to an object of any kind. With the last one the object is freed, and all pointers into it end; no
/// call that was given it may be running then. Does nothing for null. A handle that was released is told
/// (`ESTOC_RELEASED`), as long as nobody else has a reference to the object. Threads: any.
#[unsafe(no_mangle)]
pub extern "C" fn estoc_release(handle: *const c_void) -> estoc_status {
    call(|_| match TABLE.release(handle.addr()) {
        _ if handle.is_null() => Ok(()),
        Ok(object) => {
            drop(object);
            Ok(())
        }
        Err(refused) => Err(refusal(refused, handle.addr(), "any object")),
    })
}
