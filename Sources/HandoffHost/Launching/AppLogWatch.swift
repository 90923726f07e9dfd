// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem

/// Keeps an app's log from filling the disk while the app runs: what is above the limit is put aside, and the log is emptied.
/// The app goes on writing at the end of the file it has. What it writes at that very moment may be lost.
///
/// It costs nothing while the app prints nothing. If the daemon ends, so does this; the app's next start finds the log.
struct AppLogWatch: ~Copyable {
    /// How long a log may grow before it is looked at again, milliseconds.
    static let pause: CInt = 100

    private let log: AppLogFile
    private let file: OpenFile
    private let watch: OpenFile

    private init(log: AppLogFile, file: consuming OpenFile, watch: consuming OpenFile) {
        self.log = log
        self.file = file
        self.watch = watch
    }

    /// Returns when the process has ended, or at once where nothing can be watched. It is not waited for: its number is its own
    /// until then.
    static func run(_ log: AppLogFile, while process: SpawnedProcess) {
        guard let running = ProcessDescriptor(of: process.id), let watch = Self.begin(log) else { return }
        while running.wait(for: watch.watch.descriptor) {
            watch.look()
            guard running.wait(milliseconds: pause) else { break }
        }
        watch.look()
    }

    /// Nil: the app runs without a log, or the system has no watch to give.
    private static func begin(_ log: AppLogFile) -> AppLogWatch? {
        guard let file = try? OpenFile.open(log.path, O_RDWR | O_NONBLOCK) else { return nil }
        let watch = OpenFile(descriptor: inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK)), path: "inotify")
        guard watch.descriptor >= 0 else { return nil }
        // By the descriptor: whatever has become of the name, that is the file that the app writes.
        let path = "/proc/self/fd/\(file.descriptor)"
        guard inotify_add_watch(watch.descriptor, path, UInt32(IN_MODIFY)) >= 0 else { return nil }
        return AppLogWatch(log: log, file: file, watch: watch)
    }

    private func look() {
        var events = [UInt8](repeating: 0, count: 4096)
        while read(watch.descriptor, &events, events.count) > 0 {}
        var status = stat()
        guard fstat(file.descriptor, &status) == 0, status.st_size > AppLogFile.rotationBytes else { return }
        putAside(status)
        ftruncate(file.descriptor, 0)
    }

    /// The end of it. Not where another start has put this file aside already.
    private func putAside(_ status: stat) {
        var named = stat()
        guard lstat(log.path, &named) == 0, named.st_ino == status.st_ino, named.st_dev == status.st_dev,
            let aside = try? OpenFile.open(log.path + ".1", O_WRONLY | O_CREAT | O_TRUNC)
        else { return }
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        var offset = status.st_size - off_t(AppLogFile.rotationBytes)
        while offset < status.st_size {
            let count = pread(file.descriptor, &buffer, buffer.count, offset)
            guard count > 0, (try? aside.write(buffer[..<count])) != nil else { return }
            offset += off_t(count)
        }
    }
}
