//! The machine that rows were measured on, and the one that the program was compiled for.

use std::thread::available_parallelism;

/// A machine, as far as a program can find out.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Machine {
    /// The processor's vendor as CPUID spells it; the architecture where there is no CPUID.
    pub(crate) vendor: String,
    /// The family that CPUID tells, extended family included, as in the vendor's manuals. Virtual
    /// machines often hide the name of the processor, but not this.
    pub(crate) family: Option<usize>,
    /// The model, extended model included.
    pub(crate) model: Option<usize>,
    pub(crate) stepping: Option<usize>,
    /// The processor's name, without commas; empty where it is unknown.
    pub(crate) name: String,
    /// The number of threads that the process can run at once.
    pub(crate) threads: usize,
    /// The level of instructions that the compiler may use anywhere in this program, such as
    /// `x86-64` for what users get by default.
    pub(crate) compiled_for: String,
}

impl Machine {
    /// Asks the processor.
    pub(crate) fn here() -> Machine {
        Machine {
            threads: available_parallelism().map_or(1, usize::from),
            compiled_for: compiled_for().to_owned(),
            ..processor()
        }
    }

    /// Describes the processor in a few words.
    pub(crate) fn processor_in_words(&self) -> String {
        let name = match &self.name[..] {
            "" => String::new(),
            name => format!("{name}, "),
        };
        let numbers = [
            ("family", self.family),
            ("model", self.model),
            ("stepping", self.stepping),
        ];
        let numbers = numbers.iter().filter_map(|&(what, number)| {
            let number = number?;
            Some(format!(" {what} {number}"))
        });
        format!("{name}{}{}", self.vendor, numbers.collect::<String>())
    }
}

/// Returns the processor only.
#[cfg(target_arch = "x86_64")]
fn processor() -> Machine {
    use std::arch::x86_64::__cpuid;
    let text = |registers: &[u32]| {
        let bytes: Vec<u8> = registers.iter().flat_map(|r| r.to_le_bytes()).collect();
        let text = String::from_utf8_lossy(&bytes).replace([',', '\0'], " ");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let (first, signature) = (__cpuid(0), __cpuid(1));
    let (family, model, stepping) = family_model_stepping(signature.eax);
    let has_name = __cpuid(0x8000_0000).eax >= 0x8000_0004;
    let name = [0x8000_0002, 0x8000_0003, 0x8000_0004].map(|leaf| match has_name {
        true => {
            let part = __cpuid(leaf);
            [part.eax, part.ebx, part.ecx, part.edx]
        }
        false => [0; 4],
    });
    Machine {
        vendor: text(&[first.ebx, first.edx, first.ecx]),
        family: Some(family),
        model: Some(model),
        stepping: Some(stepping),
        name: text(name.as_flattened()),
        threads: 0,
        compiled_for: String::new(),
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn processor() -> Machine {
    Machine {
        vendor: std::env::consts::ARCH.to_owned(),
        family: None,
        model: None,
        stepping: None,
        name: String::new(),
        threads: 0,
        compiled_for: String::new(),
    }
}

/// Returns family, model and stepping of a signature, which is register `eax` of CPUID leaf 1.
///
/// The extended family counts only if the family is 15, and the extended model only in families 6
/// and 15 (Intel's manual, volume 2, CPUID; AMD's manual, volume 3, appendix E).
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
fn family_model_stepping(signature: u32) -> (usize, usize, usize) {
    let bits = |first: u32, count: u32| (signature >> first & ((1 << count) - 1)) as usize;
    let (family, model) = (bits(8, 4), bits(4, 4));
    let extended = match family {
        15 => family + bits(20, 8),
        _ => family,
    };
    let model = match family {
        6 | 15 => bits(16, 4) << 4 | model,
        _ => model,
    };
    (extended, model, bits(0, 4))
}

/// Returns the level of the x86-64 psABI that the whole program was compiled for, or the
/// architecture.
const fn compiled_for() -> &'static str {
    if cfg!(not(target_arch = "x86_64")) {
        std::env::consts::ARCH
    } else if cfg!(all(
        target_feature = "avx512f",
        target_feature = "avx512bw",
        target_feature = "avx512cd",
        target_feature = "avx512dq",
        target_feature = "avx512vl"
    )) {
        "x86-64-v4"
    } else if cfg!(all(
        target_feature = "avx2",
        target_feature = "bmi1",
        target_feature = "bmi2",
        target_feature = "fma",
        target_feature = "lzcnt"
    )) {
        "x86-64-v3"
    } else if cfg!(target_feature = "sse4.2") {
        "x86-64-v2"
    } else {
        "x86-64"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::Row;

    #[test]
    fn signatures_are_taken_apart_as_the_manuals_say() {
        for (signature, parts) in [
            (0x00b0_0f21, (26, 2, 1)),  // Zen 5, Turin
            (0x00a1_0f11, (25, 17, 1)), // Zen 4, Genoa
            (0x000c_06f2, (6, 207, 2)), // Emerald Rapids
            (0x0000_0f29, (15, 2, 9)),  // Pentium 4
            (0x0000_0543, (5, 4, 3)),   // Pentium MMX
        ] {
            assert_eq!(family_model_stepping(signature), parts, "{signature:x}");
        }
    }

    #[test]
    fn this_machine_survives_the_file() {
        let machine = Machine::here();
        assert!(machine.threads >= 1 && !machine.vendor.is_empty());
        let line = Row::Machine(machine.clone()).to_string();
        assert_eq!(Row::parse(&line), Some(Row::Machine(machine)), "{line}");
    }

    /// Linux asks CPUID, too.
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    #[test]
    fn linux_agrees() {
        let Ok(text) = std::fs::read_to_string("/proc/cpuinfo") else {
            return;
        };
        let field = |name: &str| {
            let line = text.lines().find(|line| {
                let title = line.split(':').next().unwrap_or_default();
                title.trim() == name
            })?;
            Some(line.split_once(':')?.1.trim())
        };
        let machine = Machine::here();
        assert_eq!(field("vendor_id"), Some(&machine.vendor[..]));
        let number = |name| field(name).and_then(|text| text.parse().ok());
        assert_eq!(number("cpu family"), machine.family);
        assert_eq!(number("model"), machine.model);
    }
}
