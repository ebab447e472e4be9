//! Opens files by their names after a look at what they are: opening a named pipe waits for a writer.

use std::fs::{File, FileType, Metadata};
use std::io;
use std::path::Path;

/// Opens a file that a user names as an input. Returns the length of an ordinary file; a stream, such as
/// a pipe, a terminal or `/dev/stdin`, has none and can be read once. Opening a pipe waits for its writer.
///
/// # Errors
/// Those of the system, and one that says what it is for a directory, a socket and a disk.
pub fn open_input(path: &Path) -> io::Result<(File, Option<u64>)> {
    match other_kind(path.metadata()?.file_type()) {
        Some((what, false)) => Err(refused(what, "name a file")),
        _ => {
            let file = File::open(path)?;
            let found = file.metadata()?;
            Ok((file, found.is_file().then_some(found.len())))
        }
    }
}

/// Opens an ordinary file, such as one that an earlier run wrote or that another file names. Anything else
/// is not opened, so that nothing is waited for.
///
/// # Errors
/// Those of the system, and one that says what it is for anything that is no ordinary file.
pub fn open_file(path: &Path) -> io::Result<File> {
    let way_out = "remove it, or put an ordinary file in its place";
    let check = |found: Metadata| match other_kind(found.file_type()) {
        None => Ok(()),
        Some((what, _)) => Err(refused(what, way_out)),
    };
    check(path.metadata()?)?;
    let file = File::open(path)?;
    // Something else may have taken its name.
    check(file.metadata()?)?;
    Ok(file)
}

/// Returns what it is that is no ordinary file, and whether it can be read as a stream.
fn other_kind(found: FileType) -> Option<(&'static str, bool)> {
    if found.is_file() {
        return None;
    }
    if found.is_dir() {
        return Some(("a directory", false));
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if found.is_fifo() {
            return Some(("a named pipe", true));
        }
        if found.is_socket() {
            return Some(("a socket", false));
        }
        if found.is_block_device() {
            return Some(("a block device", false));
        }
    }
    Some(("a device", true))
}

fn refused(what: &str, way_out: &str) -> io::Error {
    let kind = match what {
        "a directory" => io::ErrorKind::IsADirectory,
        _ => io::ErrorKind::InvalidInput,
    };
    io::Error::new(kind, format!("it is {what}; {way_out}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn ordinary_files_are_opened_with_their_length() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "abc").unwrap();
        assert_eq!(open_input(&path).unwrap().1, Some(3));
        let mut text = String::new();
        open_file(&path).unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(text, "abc");
        let missing = folder.path().join("b");
        for error in [
            open_input(&missing).unwrap_err(),
            open_file(&missing).unwrap_err(),
        ] {
            assert_eq!(error.kind(), io::ErrorKind::NotFound);
        }
        for error in [
            open_input(folder.path()).unwrap_err(),
            open_file(folder.path()).unwrap_err(),
        ] {
            assert_eq!(error.kind(), io::ErrorKind::IsADirectory);
            assert!(error.to_string().starts_with("it is a directory; "));
        }
    }

    #[cfg(unix)]
    #[test]
    fn pipes_are_inputs_and_nothing_else() {
        use std::io::Write;
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        let told = open_file(&pipe).unwrap_err().to_string();
        assert_eq!(
            told,
            "it is a named pipe; remove it, or put an ordinary file in its place"
        );
        let writer = std::thread::spawn({
            let pipe = pipe.clone();
            move || {
                File::options()
                    .write(true)
                    .open(pipe)
                    .and_then(|mut pipe| pipe.write_all(b"x"))
            }
        });
        let (mut reader, length) = open_input(&pipe).unwrap();
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        writer.join().unwrap().unwrap();
        assert_eq!((length, &*text), (None, "x"));
        let socket = folder.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        let told = open_input(&socket).unwrap_err().to_string();
        assert_eq!(told, "it is a socket; name a file");
        assert_eq!(open_input(Path::new("/dev/null")).unwrap().1, None);
        assert!(open_file(Path::new("/dev/null")).is_err());
    }
}
