// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// Restarts of a daemon during a continuation, as in an upgrade or after a crash. The apps keep running, and each is
/// notified of the end once.
@Suite(.serialized, .needsNamespaces) struct RestartTests {
    // Shows E01, L04, Y02: with a regular exit, and without.
    @Test(arguments: [SIGTERM, SIGKILL])
    func originsDaemonRestartsDuringAContinuation(signal: Int32) throws {
        try startAnew({ $0.laptop }, after: signal)
    }

    // Shows E01, L04, Y02.
    @Test(arguments: [SIGTERM, SIGKILL])
    func receiversDaemonRestartsDuringAContinuation(signal: Int32) throws {
        try startAnew({ $0.desktop }, after: signal)
    }

    private func startAnew(_ device: (Pair) -> Device, after signal: Int32) throws {
        try Stage.play { stage in
            let pair = try Pair(on: stage)
            let stuck = try StuckContinuation(of: pair)
            try device(pair).endDaemon(by: signal)
            try stuck.expectOneFailure()
            // The origin's app was asked for its state, and is not notified of a continuation, because no device has
            // it.
            stuck.browser.send(SIGCONT)
            try device(pair).startDaemon()
            try stuck.goesOnAnew(of: pair)
        }
    }
}

extension StuckContinuation {
    /// Both apps still run, and the second attempt succeeds.
    fileprivate func goesOnAnew(of pair: Pair) throws {
        let watch = try pair.desktop.watchActivities()
        try watch.output.next("the page in the list", within: .seconds(20)) { $0.contains(Pair.title) }
        try pair.desktop.handoff("activity", "continue")
        try log.next(starting: "continued tab=1")
        try browser.output.next(starting: "was-continued tab=1")
        #expect(log.count(starting: "ready") == 1)
        #expect(log.count(starting: "continuing") == 2)
        #expect(log.count(starting: "failed") == 1)
        #expect(log.count(starting: "continued") == 1)
        #expect(browser.output.count(starting: "was-continued") == 1)
    }
}

extension Device {
    fileprivate func endDaemon(by signal: Int32) throws {
        daemon?.send(signal)
        try daemon?.waitForExit()
    }
}
