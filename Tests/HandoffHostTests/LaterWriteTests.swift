// SPDX-License-Identifier: Apache-2.0

import Dispatch
import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffHost

/// Deferred writes of files, on disk and in memory.
@Suite struct LaterWriteTests {
    private let home = TemporaryDirectory()

    private func store(_ kind: WorkBench.Kind, on bench: WorkBench) throws -> any StateStore {
        switch kind {
        case .threads: return try DirectoryStateStore(directory: home.path("state"), work: bench.work)
        case .virtual:
            let store = MemoryStateStore()
            store.work = bench.work
            return store
        }
    }

    @Test(arguments: WorkBench.Kind.allCases) func lastOfSeveralWritesWins(kind: WorkBench.Kind) throws {
        let bench = WorkBench(kind)
        let store = try store(kind, on: bench)
        for number in UInt8(0)..<20 { store.writeLater([number], to: "addresses") { Issue.record("\($0)") } }
        #expect(bench.run { (try? store.read("addresses")) == [19] })
    }

    @Test(arguments: WorkBench.Kind.allCases) func immediateWriteOrRemovalStays(kind: WorkBench.Kind) throws {
        let bench = WorkBench(kind)
        let store = try store(kind, on: bench)
        for name in ["written", "removed"] {
            for number in UInt8(0)..<20 { store.writeLater([number], to: name) { Issue.record("\($0)") } }
        }
        try store.write([100], to: "written")
        try store.remove("removed")
        #expect(try store.read("written") == [100])
        store.writeLater([1], to: "after") { Issue.record("\($0)") }
        #expect(bench.run { (try? store.read("after")) == [1] })
        #expect(try store.read("written") == [100])
        #expect(try store.names() == ["after", "written"])
    }

    @Test(arguments: WorkBench.Kind.allCases) func theEndWaitsForNoTurn(kind: WorkBench.Kind) throws {
        var limits = WorkLimits()
        limits.atOnce = 1
        let bench = WorkBench(kind, limits: limits)
        let store = try store(kind, on: bench)
        let gate = DispatchSemaphore(value: 0)
        defer { gate.signal() }
        try bench.work.makeLane().run({ _ = gate.wait(timeout: .now() + 20) }, then: {})
        for name in ["addresses", "apps-used"] {
            for number in UInt8(0)..<3 { store.writeLater([number], to: name) { Issue.record("\($0)") } }
        }
        #expect(try store.names().isEmpty)
        try store.finishWriting()
        #expect(try store.read("addresses") == [2])
        #expect(try store.read("apps-used") == [2])
        // Only once.
        try store.write([9], to: "addresses")
        try store.finishWriting()
        #expect(try store.read("addresses") == [9])
    }

    @Test func failedFinalWriteIsReportedAfterTheOthers() throws {
        let bench = WorkBench(.virtual)
        let store = try DirectoryStateStore(directory: home.path("state"), work: bench.work)
        try home.folder("state/addresses")
        for name in ["addresses", "apps-used"] { store.writeLater([1], to: name) { Issue.record("\($0)") } }
        #expect(throws: Failure(.stateNotWritable, "")) { try store.finishWriting() }
        #expect(try store.read("apps-used") == [1])
    }

    @Test func deferredWritesOfOneFileAreOneJob() throws {
        var limits = WorkLimits()
        limits.waiting = 1
        let bench = WorkBench(.virtual, limits: limits)
        let store = try DirectoryStateStore(directory: home.path("state"), work: bench.work)
        for number in UInt8(0)..<100 { store.writeLater([number], to: "addresses") { Issue.record("\($0)") } }
        #expect(bench.run { (try? store.read("addresses")) == [99] })
    }

    @Test func failedDeferredWriteIsReportedOnTheLoop() throws {
        let bench = WorkBench(.threads)
        let store = try store(.threads, on: bench)
        try home.folder("state/taken")
        var failure: Failure?
        store.writeLater([1], to: "taken") { failure = $0 }
        #expect(failure == nil)
        #expect(bench.run { failure != nil })
        #expect(failure == Failure(.stateNotWritable, ""))
        #expect(failure?.reason.contains("state/taken") == true)
    }

    @Test func inMemoryStoreReportsFailedDeferredWrites() throws {
        let bench = WorkBench(.virtual)
        let store = MemoryStateStore()
        store.work = bench.work
        store.writeFailure = Failure(.stateNotWritable, "the disk is full")
        var failure: Failure?
        store.writeLater([1], to: "addresses") { failure = $0 }
        #expect(bench.run { failure != nil })
    }

    @Test func fullWorkQueueFailsADeferredWriteImmediately() throws {
        var limits = WorkLimits()
        limits.waiting = 0
        let bench = WorkBench(.threads, limits: limits)
        let store = try store(.threads, on: bench)
        var failure: Failure?
        store.writeLater([1], to: "addresses") { failure = $0 }
        #expect(failure == Failure(.limitReached, ""))
    }

    @Test(arguments: WorkBench.Kind.allCases) func writeCompletesOnceItIsOnDisk(kind: WorkBench.Kind) throws {
        let bench = WorkBench(kind)
        let store = try store(kind, on: bench)
        var told: [Failure?] = []
        store.write([1], to: "waited-for") { told.append($0) }
        #expect(told.isEmpty)
        #expect(bench.run { told.count == 1 })
        #expect(told == [nil])
        #expect(try store.read("waited-for") == [1])
    }

    @Test(arguments: WorkBench.Kind.allCases) func aRemovalOvertakesAWrite(kind: WorkBench.Kind) throws {
        let bench = WorkBench(kind)
        let store = try store(kind, on: bench)
        var isTold = false
        store.write([1], to: "waited-for") { _ in isTold = true }
        try store.remove("waited-for")
        #expect(bench.run { isTold })
        #expect(try store.read("waited-for") == nil)
    }

    @Test func failedWriteIsReportedToItsCaller() throws {
        let bench = WorkBench(.threads)
        let store = try store(.threads, on: bench)
        try home.folder("state/taken")
        var told: [Failure?] = []
        store.write([1], to: "taken") { told.append($0) }
        #expect(bench.run { told.count == 1 })
        #expect(told == [Failure(.stateNotWritable, "")])
    }
}
