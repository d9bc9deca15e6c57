//! A future as a task of its own.

use std::future::Future;
use std::io;
use std::sync::OnceLock;

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::task::JoinSet;

/// Runs a future as a task on a runtime and gives what it gives. Dropping this ends the task.
pub(crate) async fn on<T: Send + 'static>(
    runtime: &Handle,
    work: impl Future<Output = T> + Send + 'static,
) -> T {
    let mut task = JoinSet::new();
    task.spawn_on(work, runtime);
    match task.join_next().await {
        Some(Ok(value)) => value,
        Some(Err(e)) => match e.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // Aborted, which only dropping this does; then nobody waits.
            Err(_) => std::future::pending().await,
        },
        None => std::future::pending().await,
    }
}

/// The runtime of the connections, with a thread of its own: a call that is ready goes out at once, however busy the
/// others are with reading replies and making prompts.
///
/// # Errors
/// If the thread cannot be started.
pub(crate) fn connections() -> io::Result<&'static Handle> {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    if let Some(runtime) = RUNTIME.get() {
        return Ok(runtime.handle());
    }
    let runtime =
        Builder::new_multi_thread().worker_threads(1).thread_name("nyaya-calls").enable_all().build()?;
    // Another thread may have been faster; a runtime may not be dropped inside of another one.
    if let Err(spare) = RUNTIME.set(runtime) {
        spare.shutdown_background();
    }
    RUNTIME.get().map(Runtime::handle).ok_or_else(|| io::Error::other("no runtime"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_task_gives_its_value_and_ends_with_its_waiter() {
        assert_eq!(on(&Handle::current(), async { 7 }).await, 7);
        assert_eq!(on(connections().unwrap(), async { 8 }).await, 8);
        let (send, receive) = tokio::sync::oneshot::channel::<()>();
        let waiter = on(connections().unwrap(), async move {
            let _held = send;
            std::future::pending::<()>().await;
        });
        assert!(tokio::time::timeout(std::time::Duration::from_millis(20), waiter).await.is_err());
        assert!(receive.await.is_err(), "the task still holds the other end");
    }

    #[tokio::test]
    #[should_panic(expected = "inside")]
    async fn a_panic_comes_through() {
        on(&Handle::current(), async { panic!("inside") }).await
    }
}
