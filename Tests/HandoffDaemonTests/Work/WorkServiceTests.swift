// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Logging
import Testing

@testable import HandoffDaemon

/// Work at the orderly end of a daemon.
@Suite struct WorkServiceTests {
    private let time = VirtualTime()
    private let store = MemoryStateStore()
    private let work: VirtualWork
    private let service: WorkService

    init() {
        work = VirtualWork(time: time)
        work.takes = .seconds(5)
        store.work = work
        service = WorkService(work: [work], store: store, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    @Test func deferredWritesAreFlushedOnStop() throws {
        try service.start()
        for name in ["addresses", "apps-used"] { store.writeLater([7], to: name) { Issue.record("\($0)") } }
        #expect(store.files.isEmpty)
        service.stop()
        #expect(store.files == ["addresses": [7], "apps-used": [7]])
    }

    @Test func failedWriteDoesNotDelayTheStop() throws {
        try service.start()
        store.writeLater([7], to: "addresses") { _ in Issue.record("told after the end") }
        store.writeFailure = Failure(.stateNotWritable, "the disk is full")
        service.stop()
        time.advance(by: .seconds(6))
        #expect(store.files.isEmpty)
    }

    @Test func noCompletionRunsAfterTheStop() throws {
        try service.start()
        try work.makeLane().run({}, then: { Issue.record("told after the end") })
        service.stop()
        time.advance(by: .seconds(6))
        #expect(work.begun == 1)
    }

    /// A whole daemon ends with it, after all its other features.
    @Test func aDaemonThatStopsKeepsWhatACrashWouldLose() throws {
        let simulation = try Simulation.founded(seed: 5)
        let device = simulation.devices[0]
        let before = device.store.files["addresses"]
        device.store.writeLater([9], to: "addresses") { Issue.record("\($0)") }
        #expect(device.store.files["addresses"] == before)
        device.stop()
        #expect(device.store.files["addresses"] == [9])
        simulation.devices[1].store.writeLater([9], to: "addresses") { Issue.record("\($0)") }
        simulation.devices[1].crash()
        simulation.time.advance(by: .seconds(1))
        #expect(simulation.devices[1].store.files["addresses"] != [9])
    }
}
