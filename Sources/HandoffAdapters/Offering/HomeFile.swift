// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffBus
import HandoffSystem
import HandoffWire

/// A file in the user's home folder, examined on a thread, because its mount may hang.
struct HomeFile: Hashable, Sendable {
    let home: AbsolutePath?

    init(environment: [String: String]) { home = environment["HOME"].flatMap { try? AbsolutePath($0) } }

    /// Nil: outside of the home folder, not a plain file, or not readable.
    func source(of file: AbsolutePath) -> ProgramState.Source? {
        guard let home, let path = file.path(in: home), let size = Self.size(of: file) else { return nil }
        return .homeFile(path, bytes: size)
    }

    /// Throws a sentence if this device has no such file.
    func file(_ path: DocumentPath, bytes: Int64) throws(BusFailure) -> String {
        guard let home, let file = try? home.appending(path) else {
            throw BusFailure(BusFailure.failed, "the home folder is unknown")
        }
        let name = DisplayText(cleaning: "\(path)", limit: 100).text
        guard let size = Self.size(of: file) else {
            throw BusFailure(HomeFile.missing, "this device has no file \(name) in the home folder")
        }
        guard size == bytes else {
            throw BusFailure(
                HomeFile.missing, "\(name) in the home folder has \(size) bytes here, but \(bytes) on the other device")
        }
        guard let text = String(validating: file.bytes, as: UTF8.self) else {
            throw BusFailure(
                BusFailure.failed, "the path of \(name) is not UTF-8, so no program can be started with it")
        }
        return text
    }

    private static let missing = "org.handoff.Error.FilesOnlyThere"

    private static func size(of file: AbsolutePath) -> Int64? {
        var status = stat()
        let path = file.bytes.map { CChar(bitPattern: $0) } + [0]
        guard stat(path, &status) == 0, status.kind == S_IFREG, access(path, R_OK) == 0 else { return nil }
        return Int64(status.st_size)
    }
}

/// Runs what may block on a thread, and the rest on the loop.
final class OffLoop {
    /// Threads that wait for a mount at the same time.
    static let maximum = 4

    private let loop: BusLoop
    private var threads = 0

    init(_ loop: BusLoop) { self.loop = loop }

    /// Calls `then` with nil if too many threads wait.
    func run<Answer: Sendable>(_ work: @escaping @Sendable () -> Answer?, then: @escaping (Answer?) -> Void) {
        guard threads < Self.maximum else { return then(nil) }
        threads += 1
        let ended = { [weak self] (answer: Answer?) in
            self?.threads -= 1
            then(answer)
        }
        if !loop.runOnThread(work, then: ended) { ended(nil) }
    }
}
