//! The objects that the host holds by handles.

mod table;

use crate::status::{Failure, estoc_status, null};
use std::any::Any;
use std::mem::MaybeUninit;
use std::ptr;
use table::{Refused, Table};

/// A kind of object.
pub trait Held: Send + Sync + Sized + 'static {
    /// What the host has a pointer to, as far as it knows.
    type Handle;
    /// The kind, with its article.
    const NAME: &str;
}

/// An object of any kind.
trait Object: Any + Send + Sync {
    fn name(&self) -> &'static str;
}

impl<T: Held> Object for T {
    fn name(&self) -> &'static str {
        T::NAME
    }
}

static TABLE: Table<Box<dyn Object>> = Table::new();

/// Returns the object of a handle.
///
/// # Safety
/// While the reference exists, the host does not release the last reference to the object.
#[inline(always)]
pub(crate) unsafe fn get<'a, T: Held>(handle: *const T::Handle) -> Result<&'a T, Failure> {
    // SAFETY: promised by the caller.
    match unsafe { TABLE.get(handle.addr()) } {
        Ok(object) => {
            let any: &dyn Any = &**object;
            any.downcast_ref()
                .ok_or_else(|| wrong_kind(T::NAME, object.name()))
        }
        Err(refused) => Err(refusal(refused, handle.addr(), T::NAME)),
    }
}

#[cold]
fn wrong_kind(wanted: &str, found: &str) -> Failure {
    let sentence = format!("{wanted} is needed, and the handle is that of {found}");
    Failure::new(estoc_status::ESTOC_WRONG_KIND, sentence)
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
    to.write(ptr::without_provenance_mut(add(object)?));
    Ok(())
}

/// Makes two handles or none.
pub fn give_both<T: Held, U: Held>(
    (first, second): (T, U),
    (to, beside): (
        &mut MaybeUninit<*mut T::Handle>,
        &mut MaybeUninit<*mut U::Handle>,
    ),
) -> Result<(), Failure> {
    let handle = add(first)?;
    give(second, beside).inspect_err(|_| {
        let _released = release(handle);
    })?;
    to.write(ptr::without_provenance_mut(handle));
    Ok(())
}

/// Adds an object to the table, and returns its handle.
fn add<T: Held>(object: T) -> Result<usize, Failure> {
    TABLE.add(Box::new(object)).ok_or_else(|| {
        let sentence = "there is no memory for another handle, or there are 4,194,304 already";
        Failure::new(estoc_status::ESTOC_TOO_MANY, sentence)
    })
}

/// Adds a reference to an object of any kind.
pub(crate) fn retain(handle: usize) -> Result<(), Failure> {
    TABLE
        .retain(handle)
        .map_err(|refused| refusal(refused, handle, "any object"))
}

/// Takes a reference to an object of any kind away, and with the last one the object.
pub(crate) fn release(handle: usize) -> Result<(), Failure> {
    let last = TABLE.release(handle);
    last.map(drop)
        .map_err(|refused| refusal(refused, handle, "any object"))
}
