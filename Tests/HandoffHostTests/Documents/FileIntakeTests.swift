// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffCore
import HandoffSystem
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffHost

/// The contract of the port, for the real adapter and the in-memory implementation.
@Suite struct FileIntakeTests {
    enum Kind: CaseIterable {
        case descriptors
        case memory
    }

    /// One of the two, with a loop and a clock.
    private final class Bench {
        let intake: any FileIntake
        let time = VirtualTime()
        private let loop = TestLoop()
        private let files = HeldFiles<FileToken>()
        private let twin: MemoryFileIntake?
        private(set) var told: [Bool] = []

        init(_ kind: Kind) {
            switch kind {
            case .descriptors:
                twin = nil
                intake = DescriptorIntake(files, time: time, onLoop: { [loop] in loop.queue($0) })
            case .memory:
                let twin = MemoryFileIntake(time: time)
                (self.twin, intake) = (twin, twin)
            }
        }

        func expect(_ token: FileToken, of process: Int32 = 1, within: Duration = .seconds(5)) {
            intake.expect(token, of: process, within: within) { [weak self] in self?.told.append($0) }
        }

        func arrive(_ token: FileToken, of process: Int32 = 1) {
            if let twin { return twin.arrive(token, of: process) }
            let file = OpenFile(descriptor: open("/dev/null", O_RDONLY | O_CLOEXEC), path: "")
            files.hold(file, as: token, of: process, at: .now)
            // Earlier calls on the loop are finished before this.
            let said = Lock(false)
            loop.queue { said.withLock { $0 = true } }
            _ = loop.run { said.withLock { $0 } }
        }

        func isHeld(_ token: FileToken) -> Bool { twin?.isHeld(token) ?? (files.borrow(token) != nil) }
    }

    private static let letter = FileToken(uncheckedBytes: Array(repeating: 1, count: 32))
    private static let picture = FileToken(uncheckedBytes: Array(repeating: 2, count: 32))

    @Test(arguments: Kind.allCases) func presentFileIsReportedAtOnce(kind: Kind) {
        let bench = Bench(kind)
        bench.arrive(Self.letter)
        bench.expect(Self.letter)
        #expect(bench.told == [true])
    }

    @Test(arguments: Kind.allCases) func laterFileIsReportedOnArrival(kind: Kind) {
        let bench = Bench(kind)
        bench.expect(Self.letter)
        bench.arrive(Self.picture)
        #expect(bench.told == [])
        bench.arrive(Self.letter)
        #expect(bench.told == [true])
        bench.time.advance(by: .seconds(10))
        #expect(bench.told == [true] && bench.isHeld(Self.letter))
    }

    @Test(arguments: Kind.allCases) func missingFileIsReportedOnce(kind: Kind) {
        let bench = Bench(kind)
        bench.expect(Self.letter, within: .seconds(5))
        bench.expect(Self.picture, within: .seconds(7))
        bench.time.advance(by: .seconds(4))
        #expect(bench.told == [])
        bench.time.advance(by: .seconds(2))
        #expect(bench.told == [false])
        // Too late: no one claims it any longer.
        bench.arrive(Self.letter)
        bench.time.advance(by: .seconds(2))
        #expect(bench.told == [false, false])
    }

    @Test(arguments: Kind.allCases) func fileOfAnotherProcessIsNotIt(kind: Kind) {
        let bench = Bench(kind)
        bench.arrive(Self.letter, of: 2)
        bench.expect(Self.letter, of: 1)
        bench.expect(Self.picture, of: 1)
        bench.arrive(Self.picture, of: 2)
        bench.time.advance(by: .seconds(10))
        #expect(bench.told == [false, false])
    }

    @Test(arguments: Kind.allCases) func tokenIsExpectedOnceAtATime(kind: Kind) {
        let bench = Bench(kind)
        bench.expect(Self.letter)
        bench.expect(Self.letter)
        #expect(bench.told == [false])
        bench.arrive(Self.letter)
        #expect(bench.told == [false, true])
        // Two activities name the same file.
        bench.expect(Self.letter)
        #expect(bench.told == [false, true, true])
    }

    @Test(arguments: Kind.allCases) func forgottenFileIsReleasedAndNotReported(kind: Kind) {
        let bench = Bench(kind)
        bench.arrive(Self.letter)
        bench.expect(Self.letter)
        bench.intake.forget(Self.letter)
        #expect(!bench.isHeld(Self.letter))
        bench.expect(Self.picture)
        bench.intake.forget(Self.picture)
        bench.arrive(Self.picture)
        bench.time.advance(by: .seconds(10))
        #expect(bench.told == [true])
    }

    @Test(arguments: Kind.allCases) func processThatEndedIsForgotten(kind: Kind) {
        let bench = Bench(kind)
        bench.arrive(Self.letter, of: 1)
        bench.arrive(Self.picture, of: 2)
        let late = FileToken(uncheckedBytes: Array(repeating: 3, count: 32))
        bench.expect(late, of: 1)
        bench.intake.forgetAll(of: 1)
        #expect(!bench.isHeld(Self.letter) && bench.isHeld(Self.picture))
        bench.arrive(late, of: 1)
        bench.time.advance(by: .seconds(10))
        #expect(bench.told == [])
    }
}
