// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices

extension Pair {
    /// A file of random bytes.
    @discardableResult
    func file(_ name: String, of size: Int, on stage: Stage) throws -> URL {
        let file = stage.folder.appending(path: name)
        let made = try RunningProgram.run(
            ["sh", "-c", #"head -c "$1" /dev/urandom > "$0""#, file.path, "\(size)"], within: .seconds(60))
        guard made.code == 0 else { throw Unmet("no file of \(size) bytes: \(made.errors)") }
        return file
    }
}

extension Device {
    /// Publishes a file or standard input until the stage is over; the other device lists it.
    func stream(
        _ source: String, as title: String, to other: Device, ends: RunningProgram.Ends = .init()
    ) throws -> RunningProgram {
        let watch = try other.watchActivities()
        let publisher = try start(
            "activity", "publish", "--type", "org.example.stream", "--title", title, "--stream", source, ends: ends)
        try watch.output.next("\(title) in the list") { $0.contains(title) }
        watch.stop()
        return publisher
    }

    /// `$0` is the command line, followed by the script's arguments.
    func start(script: String, with arguments: String...) throws -> RunningProgram {
        try start(
            program: ["env", "HANDOFF_ROOT=\(root.path)", "bash", "-c", script, Builds.commandLine] + arguments,
            name: "script")
    }
}
