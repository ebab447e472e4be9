//! The instruction set that the kernels use.

use core::fmt;
use core::str::FromStr;
use fearless_simd::Level;

/// A set of vector instructions. It affects the speed of queries, never their answers.
///
/// A tree uses the level given to [`BvhBuilder::simd_level`](crate::BvhBuilder::simd_level), else
/// the one that the environment variable `ESTOC_SIMD` names (`baseline`, `avx2`, `avx512`), else
/// the best one of the machine. The variable serves for comparisons and for debugging, and is
/// often set by another person than the one who runs the program: if it names no level of this
/// machine, trees ignore it and use the best level. A program that would rather report the error
/// calls [`SimdLevel::from_env`] when it starts, as the command `estoc` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum SimdLevel {
    /// The minimum of the architecture: SSE2 on x86-64, NEON on 64-bit Arm, simd128 in WebAssembly if it is
    /// compiled with it.
    Baseline,
    /// AVX2 and FMA (x86-64-v3).
    Avx2,
    /// AVX-512 with the extensions of Ice Lake and Zen 4.
    Avx512,
}

/// Evaluates an expression with the instructions of a level, compiled once for each [`SimdLevel`].
///
/// `fearless_simd::dispatch!` has more levels than trees use, and would compile as much code again
/// that never runs.
///
/// With `move`, closures move what they capture: references are passed in registers, not by
/// references to them, which makes short calls 2 to 6 % faster.
macro_rules! at_level {
    (@ [$($by:tt)*] $level:expr, $simd:ident => $run:expr) => {
        match $level {
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            fearless_simd::Level::Avx2($simd) => fearless_simd::Simd::vectorize(
                $simd,
                #[inline(always)]
                $($by)* || $run,
            ),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            fearless_simd::Level::Avx512($simd) => fearless_simd::Simd::vectorize(
                $simd,
                #[inline(always)]
                $($by)* || $run,
            ),
            // In a function of its own, so that the other levels do not reserve stack space for it.
            #[cfg(all(
                any(target_arch = "x86", target_arch = "x86_64"),
                target_feature = "sse2"
            ))]
            level => $crate::simd_level::at_baseline(
                #[inline(always)]
                $($by)* || {
                    let $simd = level.as_sse2().expect("SSE2 is enabled at compile time");
                    fearless_simd::Simd::vectorize(
                        $simd,
                        #[inline(always)]
                        $($by)* || $run,
                    )
                },
            ),
            #[cfg(not(all(
                any(target_arch = "x86", target_arch = "x86_64"),
                target_feature = "sse2"
            )))]
            level => $crate::simd_level::at_baseline(
                #[inline(always)]
                $($by)* || fearless_simd::dispatch!(level, $simd => $run),
            ),
        }
    };
    (move $level:expr, $simd:ident => $run:expr) => {
        $crate::simd_level::at_level!(@ [move] $level, $simd => $run)
    };
    ($level:expr, $simd:ident => $run:expr) => {
        $crate::simd_level::at_level!(@ [] $level, $simd => $run)
    };
}
pub(crate) use at_level;

#[inline(never)]
pub(crate) fn at_baseline<T>(run: impl FnOnce() -> T) -> T {
    run()
}

/// The error for a level that does not exist or that this machine does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "this machine has no SIMD level {name:?}; choose one of {}",
    Names(.available)
)]
pub struct SimdLevelError {
    /// The name that was given.
    pub name: String,
    /// The levels of this machine.
    pub available: Vec<SimdLevel>,
}

impl SimdLevelError {
    fn new(name: &str) -> Self {
        SimdLevelError {
            name: name.to_owned(),
            available: SimdLevel::available(),
        }
    }
}

struct Names<'a>(&'a [SimdLevel]);

impl fmt::Display for Names<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, level) in self.0.iter().enumerate() {
            write!(f, "{}{level}", if i > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}

impl SimdLevel {
    /// The environment variable that names a level.
    pub const VARIABLE: &str = "ESTOC_SIMD";

    const ALL: [SimdLevel; 3] = [SimdLevel::Baseline, SimdLevel::Avx2, SimdLevel::Avx512];

    /// Returns the best level of this machine.
    pub fn best() -> Self {
        Self::available().pop().unwrap_or(SimdLevel::Baseline)
    }

    /// Returns all levels of this machine, the best one last.
    pub fn available() -> Vec<Self> {
        Self::ALL
            .into_iter()
            .filter(|level| level.token().is_some())
            .collect()
    }

    /// Returns the level that the environment variable `ESTOC_SIMD` names, or the best level if the
    /// variable is not set or empty.
    ///
    /// # Errors
    /// If the variable names no level of this machine.
    pub fn from_env() -> Result<Self, SimdLevelError> {
        match std::env::var_os(Self::VARIABLE) {
            Some(name) if !name.is_empty() => name.to_string_lossy().parse(),
            _ => Ok(Self::best()),
        }
    }

    /// Returns an error if this machine does not have the level.
    pub(crate) fn check(self) -> Result<(), SimdLevelError> {
        match self.token() {
            Some(_) => Ok(()),
            None => Err(SimdLevelError::new(&self.to_string())),
        }
    }

    /// Returns the proof that the machine has the level.
    pub(crate) fn token(self) -> Option<Level> {
        match self {
            SimdLevel::Baseline => Some(Level::baseline()),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            SimdLevel::Avx2 => Level::new().as_avx2().map(Level::Avx2),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            SimdLevel::Avx512 => Level::new().as_avx512().map(Level::Avx512),
            #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
            _ => None,
        }
    }
}

impl fmt::Display for SimdLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SimdLevel::Baseline => "baseline",
            SimdLevel::Avx2 => "avx2",
            SimdLevel::Avx512 => "avx512",
        })
    }
}

impl FromStr for SimdLevel {
    type Err = SimdLevelError;

    fn from_str(name: &str) -> Result<Self, SimdLevelError> {
        let available = Self::available().into_iter();
        let mut named = available.filter(|level| level.to_string() == name);
        named.next().ok_or_else(|| SimdLevelError::new(name))
    }
}
