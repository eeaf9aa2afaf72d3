//! How work is done: without the lock of the interpreter, stopped by Ctrl-C, and with panics as exceptions.

use super::error::raised;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rocproof::front::Failure;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// How often signals are looked for.
const OFTEN: Duration = Duration::from_millis(50);
/// The stack of a thread that works: what a program has that runs on its own, twice.
const STACK: usize = 16 << 20;

type Outcome<T> = Result<Result<T, Failure>, Box<dyn Any + Send>>;

/// Panics are told by exceptions, and need not be printed.
pub fn quiet() {
    std::panic::set_hook(Box::new(|_| {}));
}

fn answered<T>(py: Python<'_>, outcome: Outcome<T>) -> PyResult<T> {
    match outcome {
        Ok(answer) => answer.map_err(|failure| raised(py, &failure)),
        Err(payload) => {
            // What a function of Python's raised on the way.
            let payload = match payload.downcast::<PyErr>() {
                Ok(error) => return Err(*error),
                Err(payload) => payload,
            };
            let told = payload.downcast_ref::<String>().map(String::as_str);
            let told = told.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no message");
            Err(PyRuntimeError::new_err(format!("rocproof failed, which is a bug in it: {told}")))
        }
    }
}

/// Work that is over in no time, done here.
pub fn at_once<T: Send>(py: Python<'_>, work: impl FnOnce() -> Result<T, Failure> + Send) -> PyResult<T> {
    answered(py, py.detach(|| catch_unwind(AssertUnwindSafe(work))))
}

/// Work that may take its time, done by a thread of its own. Ctrl-C leaves it to itself; what comes of it is dropped.
pub fn stoppable<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    told(py, None, |_| work())
}

enum Message<T> {
    Done(String),
    Outcome(Outcome<T>),
}

/// What work tells of what is done.
pub struct Told<T> {
    sender: Sender<Message<T>>,
    stopped: Arc<AtomicBool>,
}

impl<T> Told<T> {
    /// The work ends here if nobody waits for it any more.
    pub fn go_on(&self) {
        if self.stopped.load(Ordering::Relaxed) {
            resume_unwind(Box::new("stopped"));
        }
    }

    /// Tells that a part is done, if anybody still waits for it.
    pub fn done(&self, part: String) {
        self.go_on();
        // Nobody may be listening.
        let _ = self.sender.send(Message::Done(part));
    }
}

/// Work that takes its time and tells what is done, by calling a function with the name of each part.
pub fn told<T: Send + 'static>(
    py: Python<'_>,
    progress: Option<Bound<'_, PyAny>>,
    work: impl FnOnce(&Told<T>) -> Result<T, Failure> + Send + 'static,
) -> PyResult<T> {
    let (sender, mut receiver) = channel();
    let stopped = Arc::new(AtomicBool::new(false));
    let told = Told { sender: sender.clone(), stopped: stopped.clone() };
    std::thread::Builder::new().stack_size(STACK).name("rocproof".into()).spawn(move || {
        let outcome = catch_unwind(AssertUnwindSafe(|| work(&told)));
        // Nobody may be waiting.
        let _ = sender.send(Message::Outcome(outcome));
    })?;
    let waited = loop {
        let (back, message) = py.detach(move || {
            let message = receiver.recv_timeout(OFTEN);
            (receiver, message)
        });
        receiver = back;
        let looked = match message {
            Ok(Message::Outcome(outcome)) => break answered(py, outcome),
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

/// Panics on purpose, here or on a thread: tests look at what becomes of it.
#[pyfunction]
#[pyo3(name = "_panics")]
#[allow(clippy::panic)]
pub fn panics(py: Python<'_>, on_thread: bool, words: String) -> PyResult<()> {
    let work = move || panic!("{words}");
    if on_thread { stoppable(py, work) } else { at_once(py, work) }
}
