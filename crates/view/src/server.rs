//! The server: it accepts connections on the loopback address.

use crate::admission::Admission;
use crate::bounds;
use crate::error::ViewError;
use crate::model_state::ModelState;
use crate::router::Router;
use crate::token::Token;
use crate::write_timeout::WriteTimeout;
use estoc::CancelToken;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How often the server looks whether it is cancelled.
const LOOK: Duration = Duration::from_millis(50);

/// A server of one page on 127.0.0.1.
pub struct Server {
    listener: TcpListener,
    port: u16,
    token: Token,
    state: Arc<ModelState>,
}

impl Server {
    /// Listens on a port of 127.0.0.1, a free one for 0, and makes a token. Requests wait until
    /// [`run`](Server::run).
    ///
    /// # Errors
    /// [`ViewError::Bind`], [`ViewError::Random`].
    pub fn bind(port: u16, state: Arc<ModelState>) -> Result<Self, ViewError> {
        let bind = |source| ViewError::Bind { port, source };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(bind)?;
        listener.set_nonblocking(true).map_err(bind)?;
        let port = listener.local_addr().map_err(bind)?.port();
        let token = Token::new()?;
        Ok(Server {
            listener,
            port,
            token,
            state,
        })
    }

    /// Returns the port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Returns the address of the page, with the token in its fragment, which browsers do not send.
    /// `link` is what a permalink holds after its `#`, or empty.
    pub fn address(&self, link: &str) -> String {
        let separator = if link.is_empty() { "" } else { "&" };
        let (port, token) = (self.port, &self.token);
        format!("http://127.0.0.1:{port}/#token={token}{separator}{link}")
    }

    /// Answers requests until it is cancelled. Pictures are painted in rayon's current pool.
    ///
    /// # Errors
    /// [`ViewError::Start`].
    pub fn run(self, cancel: &CancelToken) -> Result<(), ViewError> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .max_blocking_threads(bounds::RENDERS + bounds::QUERIES)
            .build()
            .map_err(ViewError::Start)?;
        let admission = Admission::new(self.port, self.token);
        let router = Arc::new(Router::new(admission, self.state));
        let accepted = runtime.block_on(accept(self.listener, router.clone(), cancel));
        router.cancel_all();
        // Cancelled work ends by itself.
        runtime.shutdown_background();
        accepted.map_err(ViewError::Start)
    }
}

async fn accept(
    listener: TcpListener,
    router: Arc<Router>,
    cancel: &CancelToken,
) -> std::io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let connections = Arc::new(Semaphore::new(bounds::CONNECTIONS));
    while !cancel.is_cancelled() {
        match tokio::time::timeout(LOOK, listener.accept()).await {
            Err(_) => {}
            // Too many open files, for example: those that end make room.
            Ok(Err(_)) => tokio::time::sleep(LOOK).await,
            Ok(Ok((stream, _))) => match connections.clone().try_acquire_owned() {
                Ok(permit) => {
                    tokio::spawn(serve(stream, router.clone(), permit));
                }
                Err(_) => refuse(&stream),
            },
        }
    }
    Ok(())
}

/// Answers the requests of a connection until it ends.
async fn serve(stream: TcpStream, router: Arc<Router>, _permit: OwnedSemaphorePermit) {
    // Small answers are not delayed.
    let _ = stream.set_nodelay(true);
    let io = TokioIo::new(WriteTimeout::new(stream, bounds::WRITE_TIME));
    let service = service_fn(move |request| {
        let router = router.clone();
        async move { Ok::<_, Infallible>(router.answer(request).await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(bounds::HEAD_TIME)
        .max_buf_size(bounds::HEAD)
        .max_headers(bounds::FIELDS)
        .serve_connection(io, service);
    // A client that breaks the connection, or the protocol, ends only its own connection.
    let _ = connection.await;
}

/// Answers a connection beyond the bound.
fn refuse(stream: &TcpStream) {
    let answer = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\ncontent-length: 0\r\n\
                   connection: close\r\n\r\n";
    let _ = stream.try_write(answer);
}
