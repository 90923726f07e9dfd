// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import HandoffCore
internal import HandoffSystem
package import HandoffWire

/// The daemon's files, 0600, in their own folder, 0700. A crash or a full disk leaves the old file or the new one, and
/// the next start removes temporary files. The daemon's lock makes it the only writer.
package final class DirectoryStateStore: StateStore {
    /// Limit for one file, bytes: far above a full roster.
    package static let fileBytes = 16 * 1024 * 1024
    package let directory: String
    private let files: StateFiles
    private let lane: (any WorkLane)?

    /// `isOnlyWriter`: false if another process may write, whose temporary files stay. Without `work`, deferred writes
    /// happen at once. Throws like `PrivateDirectory.prepare`.
    package init(directory: String, isOnlyWriter: Bool = true, work: (any Work)? = nil) throws(Failure) {
        self.directory = directory
        files = StateFiles(folder: try PrivateDirectory.open(directory))
        lane = work?.makeLane()
        guard isOnlyWriter else { return }
        do throws(SystemError) {
            try files.folder.removeLeftovers()
        } catch {
            throw Failure(.stateNotWritable, "cannot list the folder \(directory): \(error.reason)")
        }
    }

    /// For a reader, which must not create the folder.
    static func existing(_ directory: String) throws(Failure) -> DirectoryStateStore? {
        guard access(directory, F_OK) == 0 || errno != ENOENT else { return nil }
        return try DirectoryStateStore(directory: directory, isOnlyWriter: false)
    }

    package func read(_ name: String) throws(Failure) -> [UInt8]? {
        let path = try path(of: name)
        do throws(SystemError) {
            return try files.folder.read(name, limit: Self.fileBytes)
        } catch {
            throw Failure(.stateNotWritable, error.explanation ?? "cannot read \(path): \(error.reason)")
        }
    }

    package func write(_ bytes: [UInt8], to name: String) throws(Failure) {
        let path = try path(of: name)
        do throws(SystemError) { try files.write(bytes, to: name) } catch { throw Self.notWritten(path, error) }
    }

    package func writeLater(_ bytes: [UInt8], to name: String, failed: @escaping (Failure) -> Void) {
        do throws(Failure) {
            guard let lane else { return try write(bytes, to: name) }
            let path = try path(of: name)
            guard files.willBe(bytes, name) else { return }
            try writeDue(name, at: path, in: lane) { if let failure = $0 { failed(failure) } }
        } catch {
            failed(error)
        }
    }

    package func write(_ bytes: [UInt8], to name: String, then: @escaping (Failure?) -> Void) {
        do throws(Failure) {
            guard let lane else {
                try write(bytes, to: name)
                return then(nil)
            }
            let path = try path(of: name)
            _ = files.willBe(bytes, name)
            try writeDue(name, at: path, in: lane, then: then)
        } catch {
            then(error)
        }
    }

    private func writeDue(
        _ name: String, at path: String, in lane: any WorkLane, then: @escaping (Failure?) -> Void
    ) throws(Failure) {
        do throws(Failure) {
            try lane.run(
                { [files] () -> Failure? in
                    do throws(SystemError) { try files.writeDue(name) } catch { return Self.notWritten(path, error) }
                    return nil
                }, then: then)
        } catch {
            files.forget(name)
            throw error
        }
    }

    package func finishWriting() throws(Failure) {
        var first: Failure?
        for name in files.due {
            do throws(SystemError) { try files.writeDue(name) } catch {
                first = first ?? Self.notWritten(directory + "/" + name, error)
            }
        }
        // A thread may be writing.
        files.wait()
        if let first { throw first }
    }

    package func remove(_ name: String) throws(Failure) {
        let path = try path(of: name)
        do throws(SystemError) {
            try files.remove(name)
        } catch {
            throw Failure(.stateNotWritable, "cannot remove \(path): \(error.reason)")
        }
    }

    package func names() throws(Failure) -> [String] {
        do throws(SystemError) {
            return try files.folder.names().filter { (try? path(of: $0)) != nil }
        } catch {
            throw Failure(.stateNotWritable, "cannot list the folder \(directory): \(error.reason)")
        }
    }

    /// Names are ours, so a bad one is a bug; it could lead out of the folder.
    private func path(of name: String) throws(Failure) -> String {
        let allowed = name.utf8.allSatisfy { character in
            switch character {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        guard allowed, !name.isEmpty, name.utf8.count <= 128, !name.hasPrefix(".") else {
            throw Failure(.internal, "not a name for a file of state: \(name.debugDescription)")
        }
        return directory + "/" + name
    }

    private static func notWritten(_ path: String, _ error: SystemError) -> Failure {
        Failure(.stateNotWritable, "cannot write \(path): \(error.reason)\(advice(error.code))")
    }

    private static func advice(_ code: CInt) -> String {
        switch code {
        case ENOSPC, EDQUOT: "; nothing was lost; free some space and try again"
        case EROFS, EACCES, EPERM: "; nothing was lost; make the folder writable"
        default: ""
        }
    }
}

/// One thread writes at a time, and the loop's latest content of a file wins.
private final class StateFiles: Sendable {
    let folder: PrivateFolder
    /// Deferred writes; each has a job. Locked only briefly.
    private let later = Lock<[String: [UInt8]]>([:])
    /// Held during a write, for which a synchronous one waits.
    private let writing = Lock(())

    init(folder: consuming PrivateFolder) { self.folder = folder }

    var due: [String] { later.withLock { $0.keys.sorted() } }

    /// True if the file needs a new job.
    func willBe(_ bytes: [UInt8], _ name: String) -> Bool {
        later.withLock { $0.updateValue(bytes, forKey: name) == nil }
    }

    func forget(_ name: String) { later.withLock { $0[name] = nil } }

    func write(_ bytes: [UInt8], to name: String) throws(SystemError) {
        forget(name)
        try writing.withLock { (_) throws(SystemError) in try folder.write(bytes, to: name) }
    }

    func remove(_ name: String) throws(SystemError) {
        forget(name)
        try writing.withLock { (_) throws(SystemError) in try folder.remove(name) }
    }

    func writeDue(_ name: String) throws(SystemError) {
        try writing.withLock { (_) throws(SystemError) in
            guard let bytes = later.withLock({ $0.removeValue(forKey: name) }) else { return }
            try folder.write(bytes, to: name)
        }
    }

    func wait() { writing.withLock { _ in } }
}
