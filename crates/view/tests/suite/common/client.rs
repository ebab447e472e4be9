//! A plain client of HTTP/1.1.

use serde_json::Value;
use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::time::Duration;

/// A request, field by field.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    line: String,
    fields: Vec<(String, String)>,
    body: String,
}

impl Given {
    pub(crate) fn new(method: &str, path: &str) -> Self {
        Given {
            line: format!("{method} {path} HTTP/1.1"),
            fields: Vec::new(),
            body: String::new(),
        }
    }

    pub(crate) fn field(mut self, name: &str, value: &str) -> Self {
        self.fields.push((name.into(), value.into()));
        self
    }

    /// Replaces the value of a field.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.fields.retain(|(other, _)| other != name);
        self.field(name, value)
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.fields.retain(|(other, _)| other != name);
        self
    }

    pub(crate) fn body(mut self, body: impl Into<String>) -> Self {
        self.body = body.into();
        let length = self.body.len().to_string();
        self.with("Content-Length", &length)
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut text = format!("{}\r\n", self.line);
        for (name, value) in &self.fields {
            text += &format!("{name}: {value}\r\n");
        }
        text += "\r\n";
        text += &self.body;
        text.into_bytes()
    }
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    fields: HashMap<String, String>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn field(&self, name: &str) -> &str {
        self.fields.get(name).map_or("", String::as_str)
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    #[track_caller]
    pub(crate) fn ok(self) -> Self {
        assert_eq!(self.status, 200, "{}", self.text());
        self
    }

    #[track_caller]
    pub(crate) fn object(self) -> Value {
        serde_json::from_slice(&self.ok().body).unwrap()
    }

    /// Returns the message of a refusal, after checking that it has the status in its object too.
    #[track_caller]
    pub(crate) fn refusal(&self, status: u16) -> String {
        assert_eq!(self.status, status, "{}", self.text());
        let object: Value = serde_json::from_slice(&self.body).unwrap();
        assert_eq!(object["schema"], "estoc.error/1");
        assert_eq!(object["error"]["status"], status);
        object["error"]["message"].as_str().unwrap().to_owned()
    }
}

/// A connection.
pub(crate) struct Client {
    stream: BufReader<TcpStream>,
}

impl Client {
    pub(crate) fn new(port: u16) -> Self {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
        stream.set_nodelay(true).unwrap();
        // Only for tests that fail.
        let long = Some(Duration::from_secs(300));
        stream.set_read_timeout(long).unwrap();
        Client {
            stream: BufReader::new(stream),
        }
    }

    /// Sends bytes; a server that closed the connection is no error.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> bool {
        self.stream.get_mut().write_all(bytes).is_ok()
    }

    /// Ends the sending side.
    pub(crate) fn end(&mut self) {
        let _ = self.stream.get_mut().shutdown(std::net::Shutdown::Write);
    }

    #[track_caller]
    pub(crate) fn send(&mut self, given: &Given) -> Answer {
        assert!(
            self.write(&given.bytes()),
            "the server closed the connection"
        );
        self.read().unwrap().expect("an answer")
    }

    /// Reads an answer; `None` if the server closed the connection.
    pub(crate) fn read(&mut self) -> io::Result<Option<Answer>> {
        let mut line = String::new();
        if self.stream.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let wrong = || io::Error::new(io::ErrorKind::InvalidData, format!("{line:?}"));
        let mut words = line.split(' ');
        if words.next() != Some("HTTP/1.1") {
            return Err(wrong());
        }
        let status = words.next().and_then(|word| word.parse().ok());
        let status = status.ok_or_else(wrong)?;
        let mut fields = HashMap::new();
        loop {
            let mut field = String::new();
            self.stream.read_line(&mut field)?;
            let field = field.trim_end();
            if field.is_empty() {
                break;
            }
            let (name, value) = field.split_once(": ").ok_or_else(wrong)?;
            fields.insert(name.to_ascii_lowercase(), value.to_owned());
        }
        let length = fields
            .get("content-length")
            .and_then(|value| value.parse().ok());
        let mut body = vec![0; length.unwrap_or(0)];
        self.stream.read_exact(&mut body)?;
        Ok(Some(Answer {
            status,
            fields,
            body,
        }))
    }
}
