// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffApp
import Synchronization
import Testing

@testable import HandoffTestKit

/// Shows G06: continuation streams between two devices in one process.
@Suite(.timeLimit(.minutes(2))) @MainActor struct SimulatedStreamTests {
    let account = HandoffSimulatedAccount()
    private typealias Process = HandoffSimulatedProcess<Painter>

    private func pair(supportsStreams: Bool = true) async throws -> (here: Process, there: Process) {
        let laptop = try await account.addDevice(named: "laptop")
        let desktop = try await account.addDevice(named: "desktop")
        try await account.install(Painter.app)
        let here = try await laptop.open(Painter.app)
        here.run { $0.draw(supportsStreams: supportsStreams) }
        return (here, try await desktop.continueActivity(in: Painter.app))
    }

    /// The receiver's end and the origin's.
    private func streams(_ here: Process, _ there: Process) async throws -> (near: AppStreams, far: AppStreams) {
        let near = try await there.run { try await $0.streams() }
        return (near, try #require(here.main.given.last))
    }

    private func bytes(_ count: Int, _ factor: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* factor ^ $0 >> 8) }
    }

    // Shows A34, D04, C02.
    @Test func bothAppsGetStreamsThatAreNotOpen() async throws {
        let (here, there) = try await pair()
        #expect(here.main.given.isEmpty)
        let (near, far) = try await streams(here, there)
        #expect(here.main.given.count == 1)
        for streams in [near, far] {
            #expect(streams.input.streamStatus == .notOpen && streams.output.streamStatus == .notOpen)
        }
        #expect(near.write([1, 2, 3]) == 3)
        #expect(far.read(10) == [1, 2, 3])
    }

    // Shows A33, D04.
    @Test func theHandlerIsCalledWhenTimePasses() async throws {
        let (here, there) = try await pair()
        let came = Came()
        there.run { app in
            app.activity?.getContinuationStreams { input, output, error in
                came.add(input.flatMap { input in output.map { AppStreams(input, $0) } }, error)
            }
        }
        #expect(came.count == 0)
        try await account.pass(.seconds(1))
        let near = try #require(came.streams)
        let far = try #require(here.main.given.first)
        #expect(came.count == 1)
        #expect(far.write([7]) == 1)
        #expect(near.read(1) == [7])
    }

    // Shows C03, C06.
    @Test func threadsThatWaitForEachOtherNeedNoTime() async throws {
        let (here, there) = try await pair()
        let (near, far) = try await streams(here, there)
        let now = account.now
        let (sent, answered) = (bytes(1 << 20, 7), bytes(1 << 20, 13))
        async let writing: Void = far.writing(sent)
        async let answering: Void = near.writing(answered)
        async let read = near.reading()
        async let answer = far.reading()
        let isWhole = try await read == sent
        let isAnswered = try await answer == answered
        #expect(isWhole && isAnswered)
        try await writing
        try await answering
        #expect(near.input.streamStatus == .atEnd && far.input.streamStatus == .atEnd)
        #expect(account.now == now)
    }

    // Shows C03.
    @Test func tasksNeedNoTimeEither() async throws {
        let (here, there) = try await pair()
        let (near, far) = try await streams(here, there)
        let sent = Data(bytes(1 << 20, 7))
        let writing = Task {
            try await far.output.write(sent)
            far.output.close()
        }
        var read = Data()
        for try await chunk in near.input.chunks { read += chunk }
        try await writing.value
        let isWhole = read == sent
        #expect(isWhole)
    }

    @Test func eachOfSeveralStreamsHasItsOwnBytes() async throws {
        let (here, there) = try await pair()
        var all: [(near: AppStreams, far: AppStreams)] = []
        for _ in 0..<5 { all.append(try await streams(here, there)) }
        #expect(here.main.given.count == 5)
        for (number, streams) in all.enumerated() { #expect(streams.near.write([UInt8(number)]) == 1) }
        for (number, streams) in all.enumerated().reversed() { #expect(streams.far.read(1) == [UInt8(number)]) }
    }

    @Test func severalAskedForAtOnceAreAllThere() async throws {
        let (here, there) = try await pair()
        let near = try await there.run { app in
            async let first = app.streams()
            async let second = app.streams()
            return try await [first, second]
        }
        #expect(here.main.given.count == 2)
        for streams in near { #expect(streams.write([1, 2]) == 2) }
        for streams in here.main.given { #expect(streams.read(2) == [1, 2]) }
    }

    // Shows C05.
    @Test func oneDirectionEndsBeforeTheOther() async throws {
        let (here, there) = try await pair()
        let (near, far) = try await streams(here, there)
        try await far.writing([1, 2])
        #expect(try await near.reading() == [1, 2])
        try await account.pass(.seconds(60))
        #expect(near.write([3]) == 1)
        near.output.close()
        #expect(try await far.reading() == [3])
        try await account.pass(.seconds(60))
        #expect(near.input.streamStatus == .atEnd && far.input.streamStatus == .atEnd)
    }

    // Shows C01, C04.
    @Test func anOriginThatDidNotOptInRefuses() async throws {
        let (here, there) = try await pair(supportsStreams: false)
        let error = await #expect(throws: CocoaError.self) { try await there.run { _ = try await $0.streams() } }
        #expect(error?.code == .featureUnsupported)
        #expect(here.main.given.isEmpty)
        // It opts in late.
        here.run { $0.activity?.supportsContinuationStreams = true }
        try await account.pass(.seconds(1))
        _ = try await streams(here, there)
    }

    @Test func theOriginItselfHasNone() async throws {
        let (here, _) = try await pair()
        let error = await #expect(throws: CocoaError.self) { try await here.run { _ = try await $0.streams() } }
        #expect(error?.code == .featureUnsupported)
    }

    // Shows C05.
    @Test(arguments: [true, false]) func anAppThatEndsCuts(isOrigin: Bool) async throws {
        let (here, there) = try await pair()
        let (near, far) = try await streams(here, there)
        let (left, stays) = isOrigin ? (far, near) : (near, far)
        #expect(left.write([1, 2]) == 2)
        async let reading = Self.error { _ = try await stays.reading() }
        async let readingOfTheOther = Self.error { _ = try await left.reading() }
        (isOrigin ? here : there).quit()
        try await account.pass(.seconds(5))
        #expect(await reading?.code == .userActivityHandoffFailed)
        #expect(await readingOfTheOther != nil)
        #expect(stays.input.streamStatus == .error && stays.output.streamStatus != .open)
        guard isOrigin else { return }
        let error = await #expect(throws: CocoaError.self) { try await there.run { _ = try await $0.streams() } }
        #expect(error?.code == .userActivityHandoffFailed)
    }

    // Shows C05.
    @Test func aDeviceThatLeavesTheNetworkCuts() async throws {
        let (here, there) = try await pair()
        let (near, far) = try await streams(here, there)
        account.devices[0].leaveNetwork()
        async let reading = Self.error { _ = try await near.reading() }
        async let readingThere = Self.error { _ = try await far.reading() }
        try await account.pass(.seconds(15))
        #expect(await reading?.code == .userActivityHandoffFailed)
        #expect(await readingThere?.code == .userActivityHandoffFailed)
        account.devices[0].rejoinNetwork()
        try await account.pass(.seconds(60))
        let again = try await streams(here, there)
        #expect(again.near.write([1]) == 1)
        #expect(again.far.read(1) == [1])
    }

    // Shows C05.
    @Test func bytesSentBeforeAppQuitsAreComplete() async throws {
        let (here, there) = try await pair()
        let (near, far) = try await streams(here, there)
        try await near.writing([9])
        try await far.writing([1, 2, 3])
        #expect(try await far.reading() == [9])
        try await account.pass(.seconds(1))
        here.quit()
        try await account.pass(.seconds(1))
        #expect(try await near.reading() == [1, 2, 3])
    }

    @Test func anAppThatLetsGoOfBothIsNotedByTheOther() async throws {
        let (here, there) = try await pair()
        let (near, far) = try await streams(here, there)
        near.input.close()
        near.output.close()
        let more = bytes(8 << 20, 3)
        let error = await Self.error { try await far.writing(more) }
        #expect(error?.code == .userActivityHandoffFailed)
        #expect(try await far.reading() == [])
    }

    /// Many more streams in succession than an app may have at once.
    @Test func streamsThatAreOverLeaveNothingBehind() async throws {
        let (here, there) = try await pair()
        for _ in 0..<250 {
            let (near, far) = try await streams(here, there)
            near.output.close()
            near.input.close()
            far.input.close()
            far.output.close()
        }
        #expect(here.main.given.count == 250)
    }

    @Test func theSameTestTakesTheSameCourse() async throws {
        func course() async throws -> Date {
            let account = HandoffSimulatedAccount(seed: 7, now: Date(timeIntervalSince1970: 1_800_000_000))
            let laptop = try await account.addDevice(named: "laptop")
            let desktop = try await account.addDevice(named: "desktop")
            try await account.install(Painter.app)
            let here = try await laptop.open(Painter.app)
            here.run { $0.draw() }
            let there = try await desktop.continueActivity(in: Painter.app)
            let before = account.now
            let near = try await there.run { try await $0.streams() }
            #expect(account.now > before)
            near.output.close()
            here.quit()
            try await account.pass(.seconds(1))
            _ = try? await there.run { try await $0.streams() }
            return account.now
        }
        let (first, second) = (try await course(), try await course())
        #expect(first == second)
    }

    private nonisolated static func error(_ body: @Sendable () async throws -> Void) async -> CocoaError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? CocoaError
        }
    }
}

/// The arguments of a handler.
private final class Came: Sendable {
    private let state = Mutex<(count: Int, streams: AppStreams?)>((0, nil))

    func add(_ streams: AppStreams?, _ error: (any Error)?) {
        state.withLock { $0 = ($0.count + 1, streams) }
    }

    var count: Int { state.withLock { $0.count } }
    var streams: AppStreams? { state.withLock { $0.streams } }
}
