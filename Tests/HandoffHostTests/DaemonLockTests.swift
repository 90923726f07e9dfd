// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import HandoffHost

@Suite struct DaemonLockTests {
    let home = TemporaryDirectory()

    @Test func aSecondDaemonOnOneRootLearnsWhichProcessRuns() throws {
        let path = Locations(root: home.path).lock
        let first = try DaemonLock(path: path)
        do {
            _ = try DaemonLock(path: path)
            Issue.record("two daemons hold \(first.path)")
        } catch {
            #expect(error.code == .notAllowed)
            #expect(error.reason.contains("process \(getpid())"))
            #expect(error.reason.contains("--root"))
        }
    }

    @Test func theNextDaemonGetsItWhenTheFirstIsGone() throws {
        let path = Locations(root: home.path).lock
        do { _ = try DaemonLock(path: path) }
        withExtendedLifetime(try DaemonLock(path: path)) {
            #expect(home.text("run/daemon.lock") == "\(getpid())\n")
            #expect(home.mode("run") == 0o700)
        }
    }

    @Test func aLinkInTheLocksPlaceIsRefused() throws {
        try home.folder("run")
        try home.link("run/daemon.lock", to: home.path("elsewhere"))
        #expect(refusal { _ = try DaemonLock(path: home.path("run/daemon.lock")) }?.contains("daemon.lock") == true)
        #expect(!home.exists("elsewhere"))
    }
}
