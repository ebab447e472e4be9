//! Gives the library its soname, by which programs that were linked with it find it.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let system = std::env::var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    let major = env!("CARGO_PKG_VERSION_MAJOR");
    if matches!(&*system, "linux" | "android" | "freebsd" | "netbsd") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libestoc.so.{major}");
    }
}
