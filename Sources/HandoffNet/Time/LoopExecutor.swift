// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// Runs tasks on the daemon's loop.
///
/// Without it they run on Dispatch's pool, which, once woken, wakes the process every second for as long as it lives to
/// look after its threads. A device that has nothing to do is to sleep.
package final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    package init(loop: any EventLoop) { self.loop = loop }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        // Refused only by a loop that was shut down, after the last task.
        loop.execute { job.runSynchronously(on: executor) }
    }
}
