//! `--device`: what traces the rays of a batch.

use crate::devices::{AskedDevice, Device, DeviceFacts, DeviceTree};
use crate::failure::Failure;
use crate::mesh_source::MeshSource;
use crate::number::counted;
use crate::opened::Opened;
use crate::scene_model::SceneModel;
use crate::session::Session;
use estoc::engine::Technique;
use estoc::{Batch, Bvh};
use estoc_core::MeshEngine;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::fmt::Display;

/// The rays of a chunk: enough to keep a device busy, with room for a chunk of each thread.
const CHUNK: usize = 1 << 17;

/// What the user is told who wants a device of a build without any.
const NO_DEVICES: &str = "this build of estoc was made without devices: `cargo install --locked --path gpu/cli`, in a \
     checkout of its repository, installs one that has them";

#[derive(clap::Args)]
pub(crate) struct DeviceArgs {
    /// What finds which triangles rays may hit: cpu is the processor; gpu is a graphics processor, or else an
    /// error; auto is one if there is any for this mesh, else the processor, which also goes on where the device
    /// fails. A part of a name that estoc info --devices lists chooses that device, also one that is software.
    /// The processor decides in any case, and the result does not depend on it. Devices serve one mesh in f32, and
    /// only pictures of one in a local frame
    #[arg(long, value_name = "cpu|gpu|auto|NAME", default_value = "cpu",
          value_parser = |name: &str| Ok::<_, Infallible>(DeviceChoice::from(name)))]
    device: DeviceChoice,
}

/// A value of `--device`.
#[derive(Clone, Debug, PartialEq)]
enum DeviceChoice {
    Cpu,
    Auto,
    /// A part of a name; empty for any device that is not software.
    Named(String),
}

impl From<&str> for DeviceChoice {
    fn from(name: &str) -> Self {
        match name {
            "cpu" => DeviceChoice::Cpu,
            "auto" => DeviceChoice::Auto,
            "gpu" => DeviceChoice::Named(String::new()),
            name => DeviceChoice::Named(name.to_owned()),
        }
    }
}

/// Returns all devices of the machine.
pub(crate) fn all_devices(session: &Session) -> Result<Vec<DeviceFacts>, Failure> {
    match session.devices {
        Some(devices) => Ok(devices.all()),
        None => Err(Failure::Usage(NO_DEVICES.into())),
    }
}

impl DeviceArgs {
    /// Starts the device that is asked for; `None` if the processor is. Call it before a mesh is loaded.
    pub(crate) fn start(&self, session: &Session) -> Result<Option<StartedDevice>, Failure> {
        let (name, falls_back) = match (&self.device, session.devices) {
            (DeviceChoice::Cpu, _) => return Ok(None),
            (DeviceChoice::Auto, Some(devices))
                if devices.all().iter().any(|device| !device.is_software) =>
            {
                ("", true)
            }
            (DeviceChoice::Auto, _) => return Ok(None),
            (DeviceChoice::Named(name), _) => (name.as_str(), false),
        };
        let devices = session
            .devices
            .ok_or_else(|| Failure::Usage(NO_DEVICES.into()))?;
        match devices.start(name) {
            Ok(device) => Ok(Some(StartedDevice { device, falls_back })),
            Err(error) if falls_back => {
                session.note(format_args!("{error}; the processor does without it"));
                Ok(None)
            }
            Err(error) => Err(Failure::Device(error)),
        }
    }
}

/// A device that was started for this run.
pub(crate) struct StartedDevice {
    device: Box<dyn Device>,
    /// Whether the processor does what the device cannot.
    falls_back: bool,
}

impl StartedDevice {
    /// Returns an error if something is asked that no device answers, unless the processor may.
    pub(crate) fn refuse(&self, asked: impl Display) -> Result<(), Failure> {
        match self.falls_back {
            true => Ok(()),
            false => Err(Failure::Usage(format!(
                "{asked} is not served by devices, which take rays in f32 at one mesh; use --device cpu"
            ))),
        }
    }

    /// Returns an error if this is a scene, unless the processor may. Call it before the scene is opened.
    pub(crate) fn refuse_scene(&self, source: &MeshSource) -> Result<(), Failure> {
        match source.is_scene() {
            true => self.refuse(format_args!("{source}: a scene of placed objects")),
            false => Ok(()),
        }
    }

    /// Returns an error if a device does not serve what a picture shows, unless the processor may: also a mesh in a
    /// local frame, in which the rays of pictures are.
    pub(crate) fn refuse_shown(
        &self,
        source: &MeshSource,
        shown: &SceneModel,
    ) -> Result<(), Failure> {
        self.refuse_scene(source)?;
        match shown.mesh() {
            Some(_) => Ok(()),
            None => self.refuse(format_args!("{source}: a mesh in f64")),
        }
    }

    /// Returns an error if a device does not serve what was opened, unless the processor may.
    pub(crate) fn refuse_opened(
        &self,
        source: &MeshSource,
        opened: &Opened,
    ) -> Result<(), Failure> {
        self.refuse_scene(source)?;
        let what = match opened {
            Opened::Scene(scene) if scene.near_mesh().is_some() => return Ok(()),
            Opened::Scene(_) => "a mesh in a local frame",
            Opened::Wide(_) => "a mesh in f64",
        };
        self.refuse(format_args!("{source}: {what}"))
    }

    /// Copies a tree to the device; `None` if it cannot and the processor may do without it.
    pub(crate) fn load<'a>(
        &self,
        bvh: &'a Bvh,
        session: &Session,
    ) -> Result<Option<LoadedDevice<'a>>, Failure> {
        match self.device.load(bvh) {
            Ok(tree) => Ok(Some(LoadedDevice {
                tree,
                facts: self.device.facts(),
                falls_back: self.falls_back,
            })),
            Err(error) if self.falls_back => {
                session.note(format_args!("{error}; the processor does without it"));
                Ok(None)
            }
            Err(error) => Err(Failure::Device(error)),
        }
    }
}

/// A tree on a device.
pub(crate) struct LoadedDevice<'a> {
    tree: Box<dyn DeviceTree + 'a>,
    facts: DeviceFacts,
    falls_back: bool,
}

impl LoadedDevice<'_> {
    /// Returns what asks the device.
    pub(crate) fn run(&self) -> DeviceRun<'_> {
        DeviceRun {
            asked: self.tree.asked(self.falls_back),
            facts: &self.facts,
            falls_back: self.falls_back,
        }
    }
}

/// Batches whose rays a device traces.
pub(crate) struct DeviceRun<'a> {
    asked: Box<dyn AskedDevice + 'a>,
    facts: &'a DeviceFacts,
    falls_back: bool,
}

impl DeviceRun<'_> {
    /// Returns what to ask.
    pub(crate) fn engine(&self) -> &(dyn MeshEngine + Sync) {
        self.asked.engine()
    }

    /// Returns a batch with settings that suit the device.
    pub(crate) fn settings<'b, I: Copy>(batch: Batch<'b, I>) -> Batch<'b, I> {
        batch.chunk_size(CHUNK).technique(Technique::OneByOne)
    }

    /// Returns what the device is.
    pub(crate) fn facts(&self) -> &DeviceFacts {
        self.facts
    }

    /// Returns what a batch returned; where the engine failed, the reason of the device.
    pub(crate) fn told<T>(&self, asked: Result<T, Failure>) -> Result<T, Failure> {
        asked.map_err(|failure| match self.asked.report().fault {
            Some(fault) if !self.falls_back => Failure::Device(fault),
            _ => failure,
        })
    }

    /// Returns a note if the device failed and the processor went on alone.
    pub(crate) fn fault_note(&self) -> Option<String> {
        let fault = self.asked.report().fault?;
        Some(format!("{fault}; the processor went on alone"))
    }

    /// Returns what the device did, as a line of text.
    pub(crate) fn explanation(&self) -> String {
        let report = self.asked.report();
        format!(
            "{} traced {}, and left {} of them to the processor",
            self.facts,
            counted(usize::try_from(report.rays).unwrap_or(usize::MAX), "ray"),
            report.doubts
        )
    }

    /// Returns the same for `--json`.
    pub(crate) fn object(&self) -> Value {
        let report = self.asked.report();
        json!({
            "name": self.facts.name,
            "driver": self.facts.driver,
            "rays": report.rays,
            "doubts": report.doubts,
            "fault": report.fault.map(|fault| fault.to_string()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices::DeviceReport;
    use estoc::{BruteForce, Triangle};

    /// A device that fails at once.
    struct Lost(BruteForce);

    impl AskedDevice for Lost {
        fn engine(&self) -> &(dyn MeshEngine + Sync) {
            &self.0
        }

        fn report(&self) -> DeviceReport {
            DeviceReport {
                fault: Some("it was lost".into()),
                ..DeviceReport::default()
            }
        }
    }

    #[test]
    fn a_device_that_fails_ends_the_run_unless_the_processor_goes_on() {
        let facts = DeviceFacts {
            name: "a device".into(),
            driver: "a driver".into(),
            is_software: false,
        };
        let run = |falls_back| DeviceRun {
            asked: Box::new(Lost(BruteForce::new(Vec::<Triangle>::new()))),
            facts: &facts,
            falls_back,
        };
        let failed = || Err::<(), _>(Failure::Usage("the engine failed".into()));
        let told = run(false).told(failed()).unwrap_err();
        assert!(matches!(told, Failure::Device(_)), "{told}");
        assert_eq!(told.object()["status"], 3);
        let told = run(true).told(failed()).unwrap_err();
        assert!(matches!(told, Failure::Usage(_)), "{told}");
        let note = run(true).fault_note();
        let expected = "it was lost; the processor went on alone";
        assert_eq!(note.as_deref(), Some(expected));
    }

    #[test]
    fn a_name_that_is_no_word_is_a_part_of_the_name_of_a_device() {
        assert_eq!(DeviceChoice::from("cpu"), DeviceChoice::Cpu);
        assert_eq!(DeviceChoice::from("auto"), DeviceChoice::Auto);
        let named = |name: &str| DeviceChoice::Named(name.to_owned());
        assert_eq!(DeviceChoice::from("gpu"), named(""));
        assert_eq!(DeviceChoice::from("llvmpipe"), named("llvmpipe"));
    }
}
