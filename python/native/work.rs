//! Runs work without the lock of the interpreter. Ctrl-C stops it, and panics become exceptions.

use super::error::to_exception;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rocproof::front::Failure;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// The interval between checks for signals.
const OFTEN: Duration = Duration::from_millis(50);
/// The stack of a worker thread: twice that of a main thread.
const STACK: usize = 16 << 20;

type Outcome<T> = Result<Result<T, Failure>, Box<dyn Any + Send>>;

/// Stops panics from being printed: they become exceptions.
pub fn silence_panics() {
    std::panic::set_hook(Box::new(|_| {}));
}

/// A result, or the exception for its failure or panic.
fn to_python<T>(py: Python<'_>, outcome: Outcome<T>) -> PyResult<T> {
    match outcome {
        Ok(answer) => answer.map_err(|failure| to_exception(py, &failure)),
        Err(payload) => {
            // An exception that a Python function raised on the way.
            let payload = match payload.downcast::<PyErr>() {
                Ok(error) => return Err(*error),
                Err(payload) => payload,
            };
            let message = payload.downcast_ref::<String>().map(String::as_str);
            let message = message.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no message");
            Err(PyRuntimeError::new_err(format!("rocproof failed, which is a bug in it: {message}")))
        }
    }
}

/// Runs short work on this thread.
pub fn run_here<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T, Failure> + Send) -> PyResult<T> {
    to_python(py, py.detach(|| catch_unwind(AssertUnwindSafe(work))))
}

/// Runs long work on a thread of its own. Ctrl-C abandons the thread; its result is dropped.
pub fn run_on_thread<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    run_with_progress(py, None, |_| work())
}

enum Message<T> {
    Done(String),
    Outcome(Outcome<T>),
}

/// The channel by which work reports its progress.
pub struct Progress<T> {
    sender: Sender<Message<T>>,
    stopped: Arc<AtomicBool>,
}

impl<T> Progress<T> {
    /// Unwinds if the work was abandoned.
    pub fn check_stopped(&self) {
        if self.stopped.load(Ordering::Relaxed) {
            resume_unwind(Box::new("stopped"));
        }
    }

    /// Reports that a part is done.
    pub fn done(&self, part: String) {
        self.check_stopped();
        // The receiver may be gone.
        let _ = self.sender.send(Message::Done(part));
    }
}

/// Runs long work on a thread of its own, and calls `progress` with the name of each part that is done.
pub fn run_with_progress<T: Send + 'static>(
    py: Python<'_>,
    progress: Option<Bound<'_, PyAny>>,
    work: impl FnOnce(&Progress<T>) -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    let (sender, mut receiver) = channel();
    let stopped = Arc::new(AtomicBool::new(false));
    let reporter = Progress { sender: sender.clone(), stopped: stopped.clone() };
    std::thread::Builder::new().stack_size(STACK).name("rocproof".into()).spawn(move || {
        let outcome = catch_unwind(AssertUnwindSafe(|| work(&reporter)));
        // The receiver may be gone.
        let _ = sender.send(Message::Outcome(outcome));
    })?;
    let waited = loop {
        let (back, message) = py.detach(move || {
            let message = receiver.recv_timeout(OFTEN);
            (receiver, message)
        });
        receiver = back;
        let looked = match message {
            Ok(Message::Outcome(outcome)) => break to_python(py, outcome),
            Ok(Message::Done(part)) => progress.as_ref().map_or(Ok(()), |progress| progress.call1((part,)).map(drop)),
            Err(RecvTimeoutError::Timeout) => Ok(()),
            Err(RecvTimeoutError::Disconnected) => Err(PyRuntimeError::new_err("the work ended without an answer")),
        };
        if let Err(error) = looked.and_then(|()| py.check_signals()) {
            break Err(error);
        }
    };
    stopped.store(true, Ordering::Relaxed);
    waited
}

/// Panics on purpose, here or on a thread. For tests.
#[pyfunction]
#[pyo3(name = "_panics")]
#[allow(clippy::panic)]
pub fn panics(py: Python<'_>, on_thread: bool, words: String) -> PyResult<()> {
    let work = move || panic!("{words}");
    if on_thread { run_on_thread(py, work) } else { run_here(py, work) }
}
