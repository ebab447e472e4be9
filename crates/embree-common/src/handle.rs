//! What the host holds: pointers to objects with counted references.

use crate::failure::{Failure, invalid_argument};
use std::marker::PhantomData;
use std::sync::Arc;

/// A pointer of the host to an object that this library made and of which it holds a reference, or null.
///
/// As everywhere in Embree's interface, the host promises that a handle that is not null came from this library and has not
/// been released more often than it was made and retained. Every proof in this file rests on that promise alone.
#[repr(transparent)]
pub struct Handle<T>(*const T, PhantomData<Arc<T>>);

impl<T> Clone for Handle<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Handle<T> {}

impl<T> Handle<T> {
    pub const NULL: Self = Handle(std::ptr::null(), PhantomData);

    /// Hands a reference to the host.
    pub fn given(object: Arc<T>) -> Self {
        Handle(Arc::into_raw(object), PhantomData)
    }

    /// Returns a pointer to an object of which the host is given no reference.
    pub fn lent(object: &Arc<T>) -> Self {
        Handle(Arc::as_ptr(object), PhantomData)
    }

    /// Returns the object for the time of a call of the host.
    #[inline(always)]
    pub fn get<'a>(self) -> Option<&'a T> {
        // SAFETY: null, or the pointer of an `Arc` whose reference the host holds for as long as its call runs.
        unsafe { self.0.as_ref() }
    }

    /// Returns the object for the time of a call of the host, or an error for null.
    #[inline(always)]
    pub fn object<'a>(self) -> Result<&'a T, Failure> {
        self.get().ok_or_else(null)
    }

    /// Returns another reference of the object.
    pub fn shared(self) -> Result<Arc<T>, Failure> {
        self.retain()?;
        // SAFETY: the pointer is that of an `Arc`, and the reference that was just added is this one.
        Ok(unsafe { Arc::from_raw(self.0) })
    }

    /// Adds a reference of the host.
    pub fn retain(self) -> Result<(), Failure> {
        self.object()?;
        // SAFETY: the pointer is that of an `Arc` of which the host holds a reference; null is an error above.
        unsafe { Arc::increment_strong_count(self.0) };
        Ok(())
    }

    /// Takes a reference of the host back.
    pub fn release(self) -> Result<Arc<T>, Failure> {
        match self.0.is_null() {
            true => Err(null()),
            // SAFETY: the pointer is that of an `Arc` of which the host holds a reference, which it gives up here.
            false => Ok(unsafe { Arc::from_raw(self.0) }),
        }
    }
}

#[cold]
fn null() -> Failure {
    invalid_argument("a handle is NULL; pass what the library returned")
}
