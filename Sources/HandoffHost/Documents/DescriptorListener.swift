// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import HandoffSystem
package import HandoffWire
package import Logging

/// Receives open files from apps. It has its own thread, because NIO drops descriptors (docs/decisions/0042).
///
/// A datagram is a token and one descriptor of a file or folder, readable and not writable. Other descriptors are
/// closed without a reply.
package final class DescriptorListener: Sendable {
    private static let stackBytes = 128 * 1024
    /// Datagrams read before rejected descriptors are closed.
    private static let atOnce = 16

    /// Delay before a removed socket is restored: the program that cleans the folder may not be done.
    static let patience = Duration.seconds(1)
    package static let again = Duration.seconds(10)

    package let files = HeldFiles<FileToken>()
    private let path: String
    private let userID: UInt32
    /// Used only by the thread once the thread runs.
    private nonisolated(unsafe) var socket: DescriptorSocket
    private let watch: FolderWatch
    private let log: Logger
    private let hasStopped = Lock(false)
    private let others = Lock<[String: @Sendable () -> Void]>([:])

    /// `path` is in a folder that only this user can enter. The caller holds the daemon's lock, so an existing socket
    /// is a dead daemon's. Throws `.stateNotWritable` or `.limitReached`.
    package convenience init(path: String, log: Logger) throws(Failure) {
        try self.init(path: path, userID: getuid(), log: log)
    }

    init(path: String, userID: UInt32, log: Logger) throws(Failure) {
        self.path = path
        self.userID = userID
        self.log = log
        do throws(SystemError) {
            socket = try DescriptorSocket.bound(to: path)
        } catch {
            throw Failure(.stateNotWritable, error.explanation ?? "no socket can be made: \(error)")
        }
        watch = FolderWatch(folder: path.parent, for: .names)
        let begun = DetachedThread.begin(stackBytes: Self.stackBytes) { self.run() }
        guard begun else {
            unlink(path)
            throw Failure(.limitReached, "this process cannot start another thread")
        }
    }

    /// Held files stay open until this object is released.
    package func stop() {
        let isFirst = hasStopped.withLock { hasStopped in
            defer { hasStopped = true }
            return !hasStopped
        }
        guard isFirst else { return }
        unlink(path)
        files.changed.signal()
    }

    /// Calls `restore` on the listener's thread after `socket` was removed. It must be in the same folder.
    package func watch(_ socket: String, restore: @escaping @Sendable () -> Void) {
        others.withLock { $0[socket] = restore }
    }

    private func run() {
        var next: ContinuousClock.Instant?
        var restoring: ContinuousClock.Instant?
        while !hasStopped.withLock({ $0 }) {
            wait(until: [next, restoring].compactMap { $0 }.min())
            watch.takeChanges()
            restoring = restore(dueAt: restoring)
            do throws(SystemError) {
                try receive()
            } catch {
                log.error("Open files are no longer accepted from apps", metadata: ["reason": "\(error)"])
                return stop()
            }
            next = files.sweep(at: .now)
        }
    }

    private func wait(until instant: ContinuousClock.Instant?) {
        var pollers = [socket.descriptor, files.changed.descriptor, watch.descriptor].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        let milliseconds = instant.map { ContinuousClock.now.duration(to: $0).pollMilliseconds } ?? -1
        poll(&pollers, nfds_t(pollers.count), files.changed.timeout(milliseconds))
    }

    // MARK: Sockets that were removed

    /// Returns the time of the next check; nil if all sockets exist.
    private func restore(dueAt due: ContinuousClock.Instant?) -> ContinuousClock.Instant? {
        let missing = others.withLock { $0 }.filter { !$0.key.isThere }
        guard !path.isThere || !missing.isEmpty else { return nil }
        guard let due else { return .now + Self.patience }
        guard due <= .now else { return due }
        // Only the system creates the folder above it.
        guard path.parent.parent.isThere else { return .now + Self.again }
        do throws(SystemError) {
            try restoreOwn()
        } catch {
            log.warning("A removed socket cannot be created again", metadata: ["reason": "\(error)"])
            return .now + Self.again
        }
        for other in missing.values { other() }
        return .now + Self.again
    }

    private func restoreOwn() throws(SystemError) {
        guard !path.isThere else { return }
        _ = try PrivateFolder.make(path.parent)
        let made = try DescriptorSocket.bound(to: path)
        // `stop` unlinked the path before this bind.
        guard !hasStopped.withLock({ $0 }) else { return _ = unlink(path) }
        socket = made
    }

    // MARK: Datagrams

    private func receive() throws(SystemError) {
        for _ in 0..<Self.atOnce {
            guard var datagram = try socket.receive(FileToken.byteCount) else { return }
            guard datagram.userID == userID else {
                log.warning("Refused another user's file")
                continue
            }
            guard let token = try? FileToken(bytes: datagram.bytes), let file = datagram.takeFile(),
                file.isFileOrFolderToRead
            else {
                log.debug(
                    "Refused a message that is not a file from an app", metadata: ["process": "\(datagram.processID)"])
                continue
            }
            files.hold(file, as: token, of: datagram.processID, at: .now)
        }
    }
}
