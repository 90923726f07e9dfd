// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffSystem
import HandoffWire
import Testing

@testable import HandoffHost

/// Shows Q07 in part: one state folder, seen by two hosts.
@Suite(.timeLimit(.minutes(1))) struct StateLockTests {
    private static let study = StateHolder.Host(name: "study", boot: "b1", machine: "m1")
    private static let kitchen = StateHolder.Host(name: "kitchen", boot: "b2", machine: "m2")
    private static let interval = Duration.milliseconds(40)

    let home = TemporaryDirectory()

    private func lock(
        on host: StateHolder.Host, isShared: Bool = true, lost: @escaping @Sendable (Failure) -> Void = { _ in }
    ) throws(Failure) -> StateLock {
        try StateLock(
            state: home.path("state"), host: host, isShared: isShared, interval: Self.interval, lost: lost)
    }

    private func refusal(on host: StateHolder.Host) -> String? {
        do throws(Failure) {
            _ = try lock(on: host)
            return nil
        } catch {
            return error.code == .notAllowed ? error.reason : "\(error)"
        }
    }

    /// Writes the lock text of a dead daemon.
    private func leave(_ holder: StateHolder) throws {
        try home.file("state/daemon.lock", String(decoding: holder.encoded, as: UTF8.self))
    }

    private func holder(_ host: StateHolder.Host, beat: UInt64?) -> StateHolder {
        StateHolder(host: host, process: 4711, start: 12, beat: beat)
    }

    @Test func otherHostIsNamed() throws {
        let first = try lock(on: Self.study)
        try withExtendedLifetime(first) {
            let reason = try #require(refusal(on: Self.kitchen))
            #expect(reason.contains("on the host study (process \(getpid()))"))
            #expect(reason.contains("state/daemon.lock"))
            let again = try #require(refusal(on: Self.study))
            #expect(again.contains("another handoffd (process \(getpid()))"))
        }
    }

    @Test func nextHostStartsAtOnceAfterAnOrderlyEnd() throws {
        do { _ = try lock(on: Self.study) }
        let text = home.text("state/daemon.lock")
        #expect(text == "handoff-lock 1\n")
        _ = try lock(on: Self.kitchen)
    }

    @Test func crashOnThisHostLeavesNothingToWaitFor() throws {
        let long = Duration.seconds(600)
        for host in [Self.study, StateHolder.Host(name: "study", boot: "earlier", machine: "m1")] {
            try leave(holder(host, beat: 3))
            _ = try StateLock(
                state: home.path("state"), host: Self.study, isShared: true, interval: long, lost: { _ in })
        }
    }

    @Test func lockWithAStoppedHeartbeatIsReplaced() throws {
        try leave(holder(Self.kitchen, beat: 3))
        let lock = try lock(on: Self.study)
        withExtendedLifetime(lock) { #expect(home.text("state/daemon.lock")?.contains("host study") == true) }
    }

    // For example a mount with the option nolock.
    @Test func hostWhoseLockIsNotSeenHereIsStillNoticed() throws {
        let first = try lock(on: Self.kitchen)
        try dropKernelLock()
        withExtendedLifetime(first) {
            #expect(refusal(on: Self.study)?.contains("on the host kitchen") == true)
        }
    }

    // As on a server whose client vanished.
    @Test func lockThatTheServerKeepsForADeadHostIsReplaced() throws {
        let kept = try lock(on: Self.kitchen, isShared: false)
        try leave(holder(Self.kitchen, beat: 3))
        let taken = try lock(on: Self.study)
        withExtendedLifetime((kept, taken)) {
            #expect(home.text("state/daemon.lock")?.contains("host study") == true)
        }
    }

    @Test func hostThatWasAwayLearnsThatTheStateWasTaken() async throws {
        let (losses, said) = AsyncStream.makeStream(of: Failure.self)
        let lock = try lock(on: Self.study) { said.yield($0) }
        try home.file("state/theirs", String(decoding: holder(Self.kitchen, beat: 0).encoded, as: UTF8.self))
        try #require(rename(home.path("state/theirs"), home.path("state/daemon.lock")) == 0)
        var iterator = losses.makeAsyncIterator()
        let loss = try #require(await iterator.next())
        #expect(loss.reason.contains("on the host kitchen (process 4711) has taken over"))
        withExtendedLifetime(lock) {}
    }

    @Test func textThatNoDaemonWroteIsOverwritten() throws {
        try home.file("state/daemon.lock", "what is this?\n")
        let lock = try lock(on: Self.study)
        withExtendedLifetime(lock) { #expect(home.text("state/daemon.lock")?.contains("host study") == true) }
    }

    @Test func nameWithASpaceStaysOneWord() throws {
        let read = StateHolder(holder(.init(name: "my desk", boot: "b", machine: ""), beat: nil).encoded)
        #expect(read?.host.name == "my_desk")
        #expect(read?.beat == nil)
    }

    /// Releases the kernel's lock of the open file, as if this host's kernel had none.
    private func dropKernelLock() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
            guard target == home.path("state/daemon.lock"), let descriptor = CInt(name) else { continue }
            var request = flock()
            request.l_type = Int16(F_UNLCK)
            let setOpenFileLock: CInt = 37
            #expect(fcntl(descriptor, setOpenFileLock, &request) == 0)
            return
        }
        Issue.record("the lock is not open")
    }
}
