// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// A continuation on the desktop that waits for the laptop's app, which does not answer, so that a failure can be
/// tested.
struct StuckContinuation {
    let browser: RunningProgram
    /// `handoff activity continue` on the desktop.
    let attempt: RunningProgram
    /// Of the desktop's MonkeyBrowser, which received will-continue.
    let log: Transcript

    init(of pair: Pair) throws {
        browser = try pair.browse()
        log = try pair.desktop.log(of: .monkeyBrowser)
        browser.send(SIGSTOP)
        attempt = try pair.desktop.start("activity", "continue")
        try log.next(starting: "continuing tab=1")
    }

    /// The command gets a reason, and the app's delegate exactly one error, with this code of `CocoaError` if given.
    func expectOneFailure(code: Int? = nil, within bound: Duration = .seconds(10)) throws {
        #expect(try attempt.waitForExit(within: bound) != 0)
        try attempt.errors.waitForEnd(within: .seconds(2))
        #expect(!attempt.errors.lines.isEmpty)
        let failed = try log.next(starting: "failed tab=1")
        if let code { #expect(failed.contains("code=\(code) ")) }
        #expect(log.count(starting: "failed tab=1") == 1)
        #expect(log.count(starting: "continued tab=1") == 0)
    }
}
