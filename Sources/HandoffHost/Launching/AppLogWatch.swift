// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem

/// Keeps an app's log from filling the disk while the app runs: what is above the limit is put aside, and the log is emptied.
/// The app goes on writing at the end of the file it has. What it writes between the last look and the emptying is lost.
///
/// It costs nothing while the app prints nothing. If the daemon ends, so does this; the app's next start finds the log.
struct AppLogWatch: ~Copyable {
    /// How long a log may grow before it is looked at again, milliseconds.
    static let pause: CInt = 100
    /// How often it is looked at where the system does not tell of changes, since this user's programs have taken all the
    /// watches that it gives; milliseconds. A log that nobody looks at fills the disk.
    static let lookAgain: CInt = 1000

    /// How often the end is copied again because the app wrote more during the copy.
    private static let copies = 8

    private let log: AppLogFile
    private let file: OpenFile
    private let watch: OpenFile
    private let isBlind: Bool

    private init(log: AppLogFile, file: consuming OpenFile, watch: consuming OpenFile) {
        self.log = log
        // By the descriptor: whatever has become of the name, that is the file that the app writes.
        let path = "/proc/self/fd/\(file.descriptor)"
        isBlind = watch.descriptor < 0 || inotify_add_watch(watch.descriptor, path, UInt32(IN_MODIFY)) < 0
        self.file = file
        self.watch = watch
    }

    /// Returns when the process has ended, or at once where it runs without a log. It is not waited for: its number is its own
    /// until then. `inotify`: makes an instance; negative where the system has none to give.
    static func run(
        _ log: AppLogFile, while process: SpawnedProcess,
        inotify: () -> CInt = { inotify_init1(CInt(IN_CLOEXEC | IN_NONBLOCK)) }
    ) {
        guard let running = ProcessDescriptor(of: process.id),
            let file = try? OpenFile.open(log.path, O_RDWR | O_NONBLOCK)
        else { return }
        let watch = AppLogWatch(log: log, file: file, watch: OpenFile(descriptor: inotify(), path: "inotify"))
        while running.wait(for: watch.watch.descriptor, milliseconds: watch.isBlind ? lookAgain : -1) {
            watch.look()
            guard running.wait(milliseconds: pause) else { break }
        }
        watch.look()
    }

    private func look() {
        var events = [UInt8](repeating: 0, count: 4096)
        while read(watch.descriptor, &events, events.count) > 0 {}
        var status = stat()
        guard fstat(file.descriptor, &status) == 0, status.st_size > AppLogFile.rotationBytes else { return }
        for _ in 0..<Self.copies {
            let copied = status.st_size
            putAside(status)
            guard fstat(file.descriptor, &status) == 0, status.st_size != copied else { break }
        }
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
