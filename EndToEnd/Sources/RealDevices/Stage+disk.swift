// SPDX-License-Identifier: Apache-2.0

package import Foundation

extension Stage {
    /// Mounts a file system in memory until the stage is over.
    package func mountMemory(at folder: URL, options: String) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.path
        let ended = try RunningProgram.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", path])
        guard ended.code == 0 else { throw Unmet("no file system could be mounted: \(ended.errors)") }
        afterwards { _ = try? RunningProgram.run(["umount", "--lazy", path]) }
    }

    /// Never answers.
    package func mountSilence(at folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.path
        afterwards { _ = try? RunningProgram.run(["umount", "--lazy", path]) }
        try start([Builds.silent, path], name: "a silent file system").output.next("that it is mounted") {
            $0 == "mounted"
        }
    }

    /// Leaves no byte free.
    package func fill(_ folder: URL) throws {
        _ = try RunningProgram.run(["dd", "if=/dev/zero", "of=\(filler(folder).path)", "bs=4096"])
    }

    package func empty(_ folder: URL) throws { try FileManager.default.removeItem(at: filler(folder)) }

    private func filler(_ folder: URL) -> URL { folder.appending(path: "filler") }
}
