// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffSystem
import Logging
import Testing

@testable import HandoffHost

/// A real file. Shows Y01.
@Suite struct BeaconSwitchFileTests {
    private let directory = TemporaryDirectory()
    private let log = Logger(label: "beacons") { _ in SwiftLogNoOpLogHandler() }

    /// Like an editor that saves.
    private func write(_ text: String) throws {
        let path = directory.path("config/config.json")
        try FileManager.default.createDirectory(
            atPath: directory.path("config"), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
    }

    /// `isBlind`: no watch is left at first.
    private func settings(isBlind: Bool = false) -> AsyncStream<Bool> {
        let (told, continuation) = AsyncStream.makeStream(of: Bool.self)
        let watches = Lock(0)
        let file = BeaconSwitchFile(
            path: directory.path("config/config.json"), lookAgain: .milliseconds(1),
            makeWatch: { path in
                let number = watches.withLock { count in
                    count += 1
                    return count
                }
                return FileWatch(isBlind && number < 3 ? "/etc/passwd/none" : path)
            }, log: log, onLoop: { $0() })
        file.watch { continuation.yield($0) }
        return told
    }

    @Test func eachChangeOfTheSettingIsReportedOnce() async throws {
        var told = settings().makeAsyncIterator()
        // Without a file, the default.
        #expect(await told.next() == true)
        try write(#"{"beacons": false}"#)
        #expect(await told.next() == false)
        try write(#"{"beacons": false, "tray": "off"}"#)
        try write(#"{"tray": "off"}"#)
        #expect(await told.next() == true)
        try write(#"{"beacons": false}"#)
        #expect(await told.next() == false)
        try FileManager.default.removeItem(atPath: directory.path("config/config.json"))
        #expect(await told.next() == true)
    }

    @Test func mistypedSettingChangesNothing() async throws {
        try write(#"{"beacons": false}"#)
        var told = settings().makeAsyncIterator()
        #expect(await told.next() == false)
        try write(#"{"beacons": "of"}"#)
        try write("{")
        try write(#"{"beacons": true}"#)
        #expect(await told.next() == true)
    }

    @Test func unwatchableFileIsReadPeriodically() async throws {
        var told = settings(isBlind: true).makeAsyncIterator()
        #expect(await told.next() == true)
        try write(#"{"beacons": false}"#)
        #expect(await told.next() == false)
    }
}
