// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// Streams into a file, which is complete under its name or absent. Shows L09.
@Suite(.serialized, .needsNamespaces) struct StreamFileTests {
    // Shows C05, L09: the disk is too small for a known size, or fills up in the middle.
    @Test(arguments: [true, false]) func aFullDiskIsReportedAndLeavesNoPartialFile(isSizeKnown: Bool) throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage)
            try pair.begin(with: [])
            let original = try pair.file("original", of: 20_000_000, on: stage)
            let disk = stage.folder.appending(path: "disk")
            try stage.mountMemory(at: disk, options: "size=4m")
            let old = disk.appending(path: "old")
            try Data("old".utf8).write(to: old)

            for name in ["new", "old"] {
                let publisher =
                    isSizeKnown
                    ? try pair.laptop.stream(original.path, as: "For \(name)", to: pair.desktop)
                    : try pair.laptop.pipe(original, as: "For \(name)", to: pair.desktop)
                let path = disk.appending(path: name).path
                let ended = try pair.desktop.command(
                    ["activity", "continue", "--stream-to", path] + (name == "old" ? ["--force"] : []))
                #expect(ended.code == 1 && ended.output.isEmpty)
                let noRoom = "handoff: the disk has no room for \(path): No space left on device"
                #expect(ended.errors == noRoom + (isSizeKnown ? "" : "; nothing was kept"))
                #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["old"])
                #expect(try Data(contentsOf: old) == Data("old".utf8))
                if isSizeKnown {
                    // No bytes were requested, because there is no space for them.
                    publisher.stop()
                    #expect(publisher.output.count(starting: "streaming") == 0)
                } else {
                    #expect(try publisher.waitForExit() == 75)
                    #expect(publisher.errors.count(containing: "not streamed to desktop") == 1)
                }
            }

            // The space is free again.
            let small = try pair.file("small", of: 3_000_000, on: stage)
            let publisher = try pair.laptop.stream(small.path, as: "Small", to: pair.desktop)
            let copy = disk.appending(path: "small")
            try pair.desktop.handoff("activity", "continue", "--stream-to", copy.path)
            #expect(FileManager.default.contentsEqual(atPath: small.path, andPath: copy.path))
            publisher.stop()
        }
    }

    // Shows L09: an existing file is replaced only on request, and in one step.
    @Test func existingFileStaysUntilTheStreamIsComplete() throws {
        try Stage.play { stage in
            let pair = try Pair(offOn: stage)
            try pair.begin(with: [])
            let sender = try pair.laptop.stream("-", as: "Log", to: pair.desktop)
            let folder = stage.folder.appending(path: "folder")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = folder.appending(path: "log")
            let (old, new) = (Data("old\n".utf8), Data("first\nsecond\n".utf8))
            try old.write(to: file)
            let opened = try FileHandle(forReadingFrom: file)

            let refused = try pair.desktop.command(["activity", "continue", "--stream-to", file.path])
            #expect(refused.code == 1 && refused.output.isEmpty)
            #expect(refused.errors == "handoff: \(file.path) already exists\n  to replace it: --force")
            #expect(sender.output.count(starting: "continued") == 0)

            let receiver = try pair.desktop.start("activity", "continue", "--stream-to", file.path, "--force")
            try sender.output.next(starting: "streaming")
            for line in ["first", "second"] {
                try sender.say(line)
                #expect(try Data(contentsOf: file) == old)
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["log"])
            }
            sender.closeInput()
            while receiver.isRunning {
                let content = try Data(contentsOf: file)
                #expect(content == old || content == new)
            }
            #expect(try receiver.waitForExit() == 0)
            #expect(try sender.waitForExit() == 0)
            #expect(try Data(contentsOf: file) == new)
            // A program that had opened the old file still has it.
            #expect(try opened.readToEnd() == old)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["log"])
        }
    }
}

extension Device {
    /// Publishes the output of a pipe, whose size is unknown.
    fileprivate func pipe(_ file: URL, as title: String, to other: Device) throws -> RunningProgram {
        let watch = try other.watchActivities()
        let publishing =
            #"cat "$1" | "$0" activity publish --type org.example.stream --title "$2" --stream -"#
        let publisher = try start(script: publishing, with: file.path, title)
        try watch.output.next("\(title) in the list") { $0.contains(title) }
        watch.stop()
        return publisher
    }
}
