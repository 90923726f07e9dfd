// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// Runs tasks on the daemon's loop.
///
/// Otherwise they would run on Dispatch's pool, which, once used, wakes the process every second to manage its threads.
/// An idle device must sleep.
package final class LoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    package init(loop: any EventLoop) { self.loop = loop }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        // Only a loop that was shut down refuses, after the last task.
        loop.execute { job.runSynchronously(on: executor) }
    }
}
