//! Tests on the devices of this machine.
