// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// Documents between two devices, without a sync tool. Shows B17.
@Suite(.serialized, .needsNamespaces) struct DocumentTransferTests {
    // Shows K04, O01, B17: in both directions.
    @Test func aDocumentOpensFromItsPlaceOnTheOtherDevice() throws {
        try Stage.play { stage in
            let papers = try Papers(on: stage)
            let (pair, there) = (papers.pair, papers.onDesktop("letter.txt"))
            try papers.write("Dear Anna", to: papers.onLaptop("letter.txt"))
            try papers.open("letter.txt")
            // Unsaved changes are saved before the transfer.
            try papers.here.say("type Dear Anna, how are you?")
            let document = try papers.goOn()
            #expect(document["fate"]?.string == "created")
            try papers.there.output.next(starting: "read Dear Anna, how are you?")
            try papers.there.output.next(starting: "went on with \(there.path)")
            #expect(papers.text(there) == "Dear Anna, how are you?")
            #expect(papers.text(papers.onLaptop("letter.txt")) == "Dear Anna, how are you?")

            // Back to the laptop, where the document is still open.
            let watch = try pair.laptop.watchActivities()
            try papers.there.output.next(starting: "current letter")
            try papers.there.say("type Dear Anna, dear Bob")
            try watch.output.next("the letter") { $0.contains("\"letter\"") }
            let back = try pair.laptop.json("activity", "continue")
            #expect(back["documents"]?.elements.first?["fate"]?.string == "replaced")
            try papers.here.output.next(starting: "read Dear Anna, dear Bob")
            #expect(try papers.names(papers.laptopFolder) == ["letter.txt"])
            #expect(try papers.names(papers.desktopFolder) == ["letter.txt"])

            // The replaced version is kept, and can be restored.
            let letter = papers.onLaptop("letter.txt")
            let versions = try pair.laptop.json("document", "versions", letter.path)
            #expect(versions.elements.count == 1)
            let id = try #require(versions.elements.first?["version"]?.string)
            try pair.laptop.handoff("document", "restore", id)
            #expect(papers.text(letter) == "Dear Anna, how are you?")
            try papers.here.output.next(starting: "read Dear Anna, how are you?")
        }
    }

    // Shows B17: no changes are lost, and no content is sent twice.
    @Test func conflictKeepsBothDocuments() throws {
        try Stage.play { stage in
            let papers = try Papers(on: stage)
            try papers.write("Dear Anna", to: papers.onLaptop("letter.txt"))
            try papers.write("Dear Bob", to: papers.onDesktop("letter.txt"))
            try papers.open("letter.txt")
            let document = try papers.goOn()
            #expect(document["fate"]?.string == "conflict")
            #expect(papers.text(papers.onDesktop("letter.txt")) == "Dear Anna")
            let copy = URL(filePath: try #require(document["keptCopy"]?.string))
            #expect(copy.lastPathComponent.hasPrefix("letter (desktop, 20") && papers.text(copy) == "Dear Bob")
            // The desktop's app notifies its user.
            try papers.there.errors.next("what became of it") { $0.contains("letter (desktop") }

            // The second time, the same bytes exist already. Newer changes there are kept.
            #expect(try papers.goOn()["fate"]?.string == "same")
            try papers.write("Dear Anna, II", to: papers.onDesktop("letter.txt"))
            #expect(try papers.goOn()["fate"]?.string == "newerHere")
            #expect(papers.text(papers.onDesktop("letter.txt")) == "Dear Anna, II")
            #expect(try papers.names(papers.desktopFolder).count == 2)
        }
    }

    // Shows B18: the file is in no container, and only the app itself can open it.
    @Test func aFileFromElsewhereComesAsACopy() throws {
        try Stage.play { stage in
            let papers = try Papers(on: stage)
            let photo = try papers.pair.file("photo.jpeg", of: 1_000_000, on: stage)
            try papers.name(photo)
            let document = try papers.goOn()
            #expect(document["fate"]?.string == "copy")
            let path = try papers.there.output.next(starting: "came ").dropFirst("came ".count)
            let received = papers.pair.desktop.root.appending(path: "received").path
            #expect(path.hasPrefix(received + "/") && path.hasSuffix("/photo.jpeg"))
            #expect(FileManager.default.contentsEqual(atPath: photo.path, andPath: String(path)))
            #expect(try papers.names(papers.desktopFolder) == [])
        }
    }

    // Shows B17: the app declares a folder as one document.
    @Test func aPackageComesWithItsMembersAlone() throws {
        try Stage.play { stage in
            let papers = try Papers(on: stage)
            let binder = papers.onLaptop("taxes.binder")
            try FileManager.default.createDirectory(
                at: binder.appending(path: "2026"), withIntermediateDirectories: true)
            for page in 1...50 { try papers.write("page \(page)", to: binder.appending(path: "2026/\(page).txt")) }
            try papers.name(binder)
            #expect(try papers.goOn()["fate"]?.string == "created")
            try papers.there.output.next(starting: "came \(papers.onDesktop("taxes.binder").path)")
            try papers.write("page 7, corrected", to: binder.appending(path: "2026/7.txt"))
            try FileManager.default.removeItem(at: binder.appending(path: "2026/50.txt"))
            #expect(try papers.goOn()["fate"]?.string == "replaced")
            let there = papers.onDesktop("taxes.binder")
            #expect(try papers.pair.desktop.output(of: "diff", "-r", binder.path, there.path) == [])
            #expect(try papers.names(papers.desktopFolder) == ["taxes.binder"])
        }
    }

    // Shows K04: `NSDownloadsUbiquitousContents`.
    @Test func anAppThatAsksForItGetsTheActivityFirst() throws {
        try Stage.play { stage in
            let papers = try Papers(on: stage, fetchesItself: true)
            let film = papers.onLaptop("film.mkv")
            try FileManager.default.moveItem(
                at: papers.pair.file("film.mkv", of: 3_000_000, on: stage), to: film)
            try papers.name(film)
            #expect(try papers.goOn()["fate"]?.string == "pending")
            try papers.there.output.next(starting: "to come \(papers.onDesktop("film.mkv").path)")
            #expect(try papers.names(papers.desktopFolder) == [])
            try papers.there.say("fetch")
            try papers.there.output.next(starting: "fetched 3000000 bytes")
            #expect(
                FileManager.default.contentsEqual(atPath: film.path, andPath: papers.onDesktop("film.mkv").path))
        }
    }

    // Shows B17, E01: the origin is lost during the transfer. The existing document stays, and the received part is
    // reused later.
    @Test func interruptedTransferResumes() throws {
        try Stage.play { stage in
            let papers = try Papers(on: stage)
            let size = 20_000_000
            let film = papers.onLaptop("film.mkv")
            try FileManager.default.moveItem(
                at: papers.pair.file("film.mkv", of: size, on: stage), to: film)
            try papers.pair.network.slow("laptop", to: 5_000_000)
            try papers.name(film)
            let there = try TerminalWindow(columns: 100)
            let command = try papers.pair.desktop.start("activity", "continue", ends: .init(errors: there.end))
            try there.wait(for: "half of it", within: .seconds(20)) { screen in
                screen.overwritten.contains { $0.contains("film.mkv") && $0.contains(/[5-8]\d %/) }
            }
            try papers.pair.laptop.killDaemon()
            #expect(try command.waitForExit(within: .seconds(40)) != 0)
            #expect(try papers.names(papers.desktopFolder) == [])
            let watch = try papers.pair.desktop.watchActivities()
            try watch.output.next("nothing in the list") { $0 == "[]" }
            try papers.pair.laptop.startDaemon()
            // The app has reconnected without help.
            try watch.output.next("the film in the list", within: .seconds(30)) { $0.contains("film.mkv") }
            let before = try received(by: papers.pair.desktop)
            let outcome = try papers.pair.desktop.handoff("activity", "continue", within: .seconds(30))
            #expect(outcome.contains("film.mkv is here now"))
            #expect(try received(by: papers.pair.desktop) - before < size * 6 / 10)
            #expect(
                FileManager.default.contentsEqual(atPath: film.path, andPath: papers.onDesktop("film.mkv").path))
        }
    }

    // Shows Y03: the network queues the document for longer than a session and its kernel wait for an answer. As the report
    // actual-chat 3964.
    @Test func sessionOutlivesADocumentThatFillsASlowNetwork() throws {
        try Stage.play { stage in
            let papers = try Papers(on: stage)
            let photo = try papers.pair.file("photo.jpeg", of: 160_000, on: stage)
            try papers.name(photo)
            func sessions() throws -> [Int] {
                try [papers.pair.laptop, papers.pair.desktop].map {
                    try #require($0.daemon).errors.text.components(separatedBy: "Session opened").count
                }
            }
            let before = try sessions()
            try papers.pair.network.slow("laptop", to: 8_000, queue: 150_000)
            let watch = try papers.pair.desktop.watchActivities()
            let outcome = try papers.pair.desktop.handoff("activity", "continue", within: .seconds(60))
            #expect(outcome.contains("photo.jpeg came as a copy"), "\(outcome)")
            #expect(!watch.output.text.contains("[]"))
            #expect(try sessions() == before)
        }
    }

    // Shows Q05: a tunnel that drops larger packets, and the messages about it. As the reports qubes-issues 5264 and mosh 299.
    @Test func documentPassesATunnelThatSilentlyDropsLargePackets() throws {
        try Stage.play { stage in
            let papers = try Papers(on: stage) { pair, _ in
                for (name, device) in [("laptop", pair.laptop), ("desktop", pair.desktop)] {
                    try pair.network.sendSinglePackets(from: name)
                    try device.filter("meta length > 1280 drop")
                }
            }
            try papers.write(String(repeating: "Dear Anna. ", count: 50_000), to: papers.onLaptop("letter.txt"))
            try papers.open("letter.txt")
            #expect(try papers.goOn()["fate"]?.string == "created")
        }
    }

    /// Bytes, measured on its cable.
    private func received(by device: Device) throws -> Int {
        let counted = try device.output(of: "cat", "/sys/class/net/eth0/statistics/rx_bytes").first
        return counted.flatMap { Int($0) } ?? 0
    }

    // Shows H05, L09: the user sees the progress, and can cancel.
    @Test func itsUserSeesHowFarItIsAndCanStopIt() throws {
        try Stage.play { stage in
            let papers = try Papers(on: stage)
            let film = papers.onLaptop("film.mkv")
            try FileManager.default.moveItem(
                at: papers.pair.file("film.mkv", of: 50_000_000, on: stage), to: film)
            try papers.pair.network.slow("laptop", to: 5_000_000)
            try papers.name(film)
            let window = try TerminalWindow(columns: 100)
            let command = try papers.pair.desktop.start("activity", "continue", ends: .init(errors: window.end))
            try window.wait(for: "bytes and a rate", within: .seconds(20)) { screen in
                screen.overwritten.contains {
                    $0.contains("film.mkv") && $0.contains("of 50.0 MB") && $0.contains("MB/s")
                }
            }
            command.send(SIGINT)
            #expect(try command.waitForExit() != 0)
            #expect(try papers.names(papers.desktopFolder) == [])
            // Only data for a later attempt is left, without a name in any folder.
            #expect(try papers.names(papers.laptopFolder) == ["film.mkv"])
        }
    }

    // Shows H05: the container's disk is full.
    @Test func aFullDiskIsNamedAndNothingIsHalf() throws {
        try Stage.play { stage in
            let papers = try Papers(on: stage) { _, folder in try stage.mountMemory(at: folder, options: "size=2m") }
            let old = papers.onDesktop("film.mkv")
            try papers.write("the old film", to: old)
            let film = papers.onLaptop("film.mkv")
            try FileManager.default.moveItem(
                at: papers.pair.file("film.mkv", of: 5_000_000, on: stage), to: film)
            try papers.name(film)
            let ended = try papers.pair.desktop.command(["activity", "continue"])
            #expect(ended.code != 0 && ended.errors.contains(papers.desktopFolder.path), "\(ended.errors)")
            #expect(papers.text(old) == "the old film")
            #expect(try papers.names(papers.desktopFolder) == ["film.mkv"])
        }
    }
}
