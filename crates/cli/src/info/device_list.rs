//! The devices of the machine.

use crate::device_args::all_devices;
use crate::devices::DeviceFacts;
use crate::failure::Failure;
use crate::output_name::Form;
use crate::session::Session;
use serde_json::{Value, json};

/// Prints all devices.
pub(super) fn print(session: &Session) -> Result<(), Failure> {
    let output = session.output(Form::Text, &[])?;
    let devices = all_devices(session)?;
    let lines: String = devices.iter().map(|device| format!("{device}\n")).collect();
    let text = match devices.is_empty() {
        true => "no devices; install the driver of a graphics processor\n".to_owned(),
        false => lines,
    };
    let object_of = |device: &DeviceFacts| {
        json!({
            "name": device.name,
            "driver": device.driver,
            "is_software": device.is_software,
        })
    };
    let objects: Vec<Value> = devices.iter().map(object_of).collect();
    let object = json!({ "schema": "estoc.devices/1", "devices": objects });
    session.print(output, &text, &object)
}
