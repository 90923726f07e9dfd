// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffApp
import Synchronization

@testable import HandoffTestKit

/// An example app whose drawing is too large for a payload.
@MainActor
final class Painter: HandoffApplicationDelegate, NSUserActivityDelegate {
    nonisolated static let drawing = "com.example.painter.drawing"

    static let app = HandoffSimulatedApp("com.example.painter", activityTypes: [drawing]) { Painter() }

    private(set) var activity: NSUserActivity?
    private nonisolated let taken = Mutex<[AppStreams]>([])

    /// Streams that the delegate was given, in order.
    var given: [AppStreams] { taken.withLock { $0 } }

    func draw(supportsStreams: Bool = true) {
        let activity = NSUserActivity(activityType: Self.drawing)
        activity.title = "Harbour"
        activity.supportsContinuationStreams = supportsStreams
        activity.delegate = self
        activity.becomeCurrent()
        self.activity = activity
    }

    nonisolated func userActivity(
        _ userActivity: NSUserActivity, didReceive inputStream: InputStream, outputStream: OutputStream
    ) {
        let streams = AppStreams(inputStream, outputStream)
        taken.withLock { $0.append(streams) }
    }

    func application(
        _ application: HandoffApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
    ) -> Bool {
        activity = userActivity
        return true
    }

    struct NothingContinued: Error {}

    func streams() async throws -> AppStreams {
        guard let activity else { throw NothingContinued() }
        let (input, output) = try await activity.continuationStreams()
        return AppStreams(input, output)
    }
}

/// Unchecked, because Foundation declares streams as not Sendable. These are documented to work on any thread.
final class AppStreams: @unchecked Sendable {
    let input: InputStream
    let output: OutputStream

    init(_ input: InputStream, _ output: OutputStream) {
        self.input = input
        self.output = output
    }

    /// On a separate thread.
    func reading() async throws -> [UInt8] {
        try await blocking { [self] in
            input.open()
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 10_000)
            while true {
                let count = input.read(&buffer, maxLength: buffer.count)
                if count < 0 { throw input.streamError ?? Painter.NothingContinued() }
                if count == 0 { return bytes }
                bytes += buffer[..<count]
            }
        }
    }

    /// Writes everything, then closes, on a separate thread.
    func writing(_ bytes: [UInt8]) async throws {
        try await blocking { [self] in
            output.open()
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBufferPointer { output.write($0.baseAddress!, maxLength: $0.count) }
                guard count > 0 else { throw output.streamError ?? Painter.NothingContinued() }
                rest = rest.dropFirst(count)
            }
            output.close()
        }
    }

    /// Does not wait: the bytes must be available.
    func read(_ count: Int) -> [UInt8] {
        input.open()
        var buffer = [UInt8](repeating: 0, count: count)
        let read = input.read(&buffer, maxLength: count)
        return Array(buffer.prefix(max(0, read)))
    }

    func write(_ bytes: [UInt8]) -> Int {
        output.open()
        return output.write(bytes, maxLength: bytes.count)
    }
}

private func blocking<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
    }
}
