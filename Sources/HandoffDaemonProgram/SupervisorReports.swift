// SPDX-License-Identifier: Apache-2.0

internal import HandoffSystem
internal import Logging
internal import NIOCore

/// Reports this daemon's state to the service manager. Called on the daemon's loop.
struct SupervisorReports: Sendable {
    private let supervisor: Supervisor
    private let loop: any EventLoop
    private let log: Logger

    init(_ supervisor: Supervisor, on loop: any EventLoop, log: Logger) {
        self.supervisor = supervisor
        self.loop = loop
        self.log = log
    }

    /// The socket accepts clients. From now on, the loop itself reports that it is alive, twice per watchdog interval.
    func ready() {
        tell("ready") { () throws(SystemError) in try supervisor.ready() }
        guard let watchdog = supervisor.watchdog else { return }
        let half = TimeAmount(watchdog / 2)
        loop.scheduleRepeatedTask(initialDelay: half, delay: half) { _ in
            tell("alive") { () throws(SystemError) in try supervisor.alive() }
        }
    }

    func stopping() { tell("stopping") { () throws(SystemError) in try supervisor.stopping() } }

    /// The daemon works even if a report fails.
    private func tell(_ what: String, _ say: () throws(SystemError) -> Void) {
        do throws(SystemError) {
            try say()
        } catch {
            log.warning(
                "The service manager could not be notified", metadata: ["what": "\(what)", "reason": "\(error)"])
        }
    }
}
