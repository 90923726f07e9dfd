// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Documents between whole daemons: the laptop's editor has one open, and the desktop continues it. Shows B17.
@Suite struct DocumentSimulationTests {
    private let simulation: Simulation
    private let laptop: SimulatedDevice
    private let desktop: SimulatedDevice
    private let app: SimulatedApp
    private let letter: ActivityID
    /// The container's folder on every device.
    private let folder: AbsolutePath
    private let path: AbsolutePath

    init() throws {
        simulation = try Simulation.founded(seed: 11)
        (laptop, desktop) = (simulation.devices[0], simulation.devices[1])
        app = try #require(laptop.open(simulation.installed[0]))
        letter = .random(using: &simulation.random)
        folder = try AbsolutePath("/home/user/containers/\(Simulation.container)")
        path = try folder.appending(DocumentPath("Documents/letter.txt"))
        let type = try #require(app.app.activityTypes.first)
        app.publish(Publication(activity: letter, type: type, title: DisplayText(cleaning: "Letter")))
        try names(path)
        simulation.time.advance(by: .seconds(3))
    }

    private func names(_ path: AbsolutePath, as url: String? = nil) throws {
        let value = Value.dictionary([
            .string("document"): .url(url ?? FileURL(path).text), .string("line"): .signed(7),
        ])
        app.saving = .userInfo(try value.encoded())
    }

    private func goOn(from device: SimulatedDevice? = nil, within bound: Duration = .seconds(120)) -> SimulatedRequest {
        let wish = desktop.wish(for: letter)
        _ = simulation.time.run(until: { !wish.ends.isEmpty }, within: bound)
        return wish
    }

    private func text(_ text: String) -> [UInt8] { Array(text.utf8) }
    private var receiver: SimulatedApp? { desktop.apps.last { !$0.states.isEmpty } }
    private var delivered: DeliveredDocument? { receiver?.documents.last?.first }

    private func document(_ app: SimulatedApp?) throws -> Value? {
        guard let state = app?.states.last, case .dictionary(let entries) = try Value(encoded: state.userInfo)
        else { return nil }
        return entries[.string("document")]
    }

    private func url(_ app: SimulatedApp?) throws -> String? {
        if case .url(let url)? = try document(app) { url.text } else { nil }
    }

    // MARK: The table

    @Test func aDocumentThatIsNotThereIsMadeAndOpenedAtItsPlace() throws {
        laptop.documents.write(text("Dear Anna"), at: path, mode: 0o600)
        #expect(goOn().ends == [.continued])
        #expect(desktop.documents.bytes(at: path) == text("Dear Anna"))
        #expect(delivered?.fate == .created && delivered?.path == path)
        #expect(try url(receiver) == FileURL(path).text)
        #expect(desktop.documents.arrivals == 0)
    }

    /// laurent22/joplin#961: below the mount point of the missing disk, it would be in clear text and found by nothing.
    @Test func aDocumentOfAMissingDiskArrivesAsACopy() throws {
        // The app becomes the owner of the container.
        laptop.documents.write(text("Dear"), at: path)
        #expect(goOn().ends == [.continued])
        let vault = try AbsolutePath("/home/user/vault")
        desktop.documents.makeFolder(vault)
        _ = try simulation.ask(desktop, .documents(.mapFolder(Simulation.container, vault)))
        desktop.documents.remove(vault)
        laptop.documents.write(text("Dear Anna"), at: path)
        #expect(goOn().ends == [.continued])
        #expect(delivered?.fate == .copy && delivered?.note?.contains("is its disk mounted?") == true)
        #expect(desktop.documents.files(below: vault).isEmpty)
    }

    @Test func theSameBytesAreNotSent() throws {
        laptop.documents.write(text("Dear Anna"), at: path)
        desktop.documents.write(text("Dear Anna"), at: path)
        #expect(goOn().ends == [.continued])
        #expect(delivered?.fate == .same)
        #expect(laptop.documents.calls(of: .open) == 0)
    }

    @Test func earlierVersionOfTheOriginIsReplaced() throws {
        laptop.documents.write(text("Dear Anna"), at: path)
        #expect(goOn().ends == [.continued])
        laptop.documents.write(text("Dear Anna, how are you?"), at: path)
        #expect(goOn().ends == [.continued])
        #expect(delivered?.fate == .replaced)
        #expect(desktop.documents.bytes(at: path) == text("Dear Anna, how are you?"))
        // The previous file is kept for a week.
        let versions = try desktop.documents.versions()
        #expect(versions.map(\.path) == [path])
        #expect(desktop.documents.files(below: folder) == [path])
    }

    @Test func unhashedDocumentIsRecognizedOnceItWasSent() throws {
        laptop.documents.hash(atMost: 5)
        laptop.documents.write(text("Dear Anna"), at: path)
        #expect(goOn().ends == [.continued])
        laptop.documents.write(text("Dear Anna, how are you?"), at: path)
        #expect(goOn().ends == [.continued])
        #expect(delivered?.fate == .replaced)
        #expect(desktop.documents.files(below: folder) == [path])
    }

    @Test func newerDocumentOnTheReceiverStays() throws {
        laptop.documents.write(text("Dear Anna"), at: path)
        #expect(goOn().ends == [.continued])
        desktop.documents.write(text("Dear Anna, dear Bob"), at: path)
        #expect(goOn().ends == [.continued])
        #expect(delivered?.fate == .newerHere && delivered?.note != nil)
        #expect(desktop.documents.bytes(at: path) == text("Dear Anna, dear Bob"))
    }

    @Test func conflictKeepsBothVersions() throws {
        laptop.documents.write(text("Dear Anna"), at: path)
        desktop.documents.write(text("Dear Bob"), at: path)
        #expect(goOn().ends == [.continued])
        #expect(delivered?.fate == .conflict)
        #expect(desktop.documents.bytes(at: path) == text("Dear Anna"))
        let copy = try #require(delivered?.keptCopy)
        #expect(desktop.documents.bytes(at: copy) == text("Dear Bob"))
        #expect(copy.text.contains("(\(desktop.name), 20"))
        // The same again creates no second copy.
        desktop.documents.write(text("Dear Bob"), at: path)
        laptop.documents.write(text("Dear Anna!"), at: path)
        #expect(goOn().ends == [.continued])
        #expect(desktop.documents.files(below: folder).count == 2)
    }

    @Test func documentWithUnsavedChangesIsNotReplaced() throws {
        laptop.documents.write(text("Dear Anna"), at: path)
        #expect(goOn().ends == [.continued])
        laptop.documents.write(text("Dear Anna, II"), at: path)
        let open = try #require(receiver)
        open.letsGo = nil
        #expect(goOn().ends == [.continued])
        #expect(open.coming == [path])
        #expect(desktop.documents.bytes(at: path) == text("Dear Anna"))
        let beside = try #require(delivered?.path)
        #expect(beside != path && desktop.documents.bytes(at: beside) == text("Dear Anna, II"))
    }

    // Shows Q08.
    @Test func documentsWhoseNamesDifferByFormAloneStayTwo() throws {
        let composed = try folder.appending(DocumentPath("Documents/Caf\u{E9}.txt"))
        let decomposed = try folder.appending(DocumentPath("Documents/Cafe\u{301}.txt"))
        desktop.documents.write(text("composed"), at: composed)
        laptop.documents.write(text("composed"), at: composed)
        laptop.documents.write(text("decomposed"), at: decomposed)
        try names(decomposed)
        #expect(goOn().ends == [.continued])
        #expect(delivered?.path == decomposed && delivered?.fate == .created)
        #expect(desktop.documents.bytes(at: decomposed) == text("decomposed"))
        #expect(desktop.documents.bytes(at: composed) == text("composed"))
    }

    // Shows Q09.
    @Test func documentThatAnotherProgramHasOpenStaysAndTheNewVersionIsBeside() throws {
        laptop.documents.write(text("Dear Anna"), at: path)
        #expect(goOn().ends == [.continued])
        laptop.documents.write(text("Dear Anna, II"), at: path)
        desktop.documents.hold(path, .editor("LibreOffice"))
        #expect(goOn().ends == [.continued])
        #expect(desktop.documents.bytes(at: path) == text("Dear Anna"))
        let beside = try #require(delivered?.path)
        #expect(beside != path && desktop.documents.bytes(at: beside) == text("Dear Anna, II"))
        let note = try #require(delivered?.note)
        #expect(note.contains("LibreOffice has it open here."))
        desktop.documents.write(text("Dear Anna, mine"), at: path)
        let version = try #require(try desktop.documents.versions().first { $0.path == path })
        #expect(desktop.documents.bytes(at: version.file) == text("Dear Anna, II"))
    }

    @Test func openDocumentIsReplacedAfterItsAppAgrees() throws {
        laptop.documents.write(text("Dear Anna"), at: path)
        #expect(goOn().ends == [.continued])
        laptop.documents.write(text("Dear Anna, II"), at: path)
        let open = try #require(receiver)
        #expect(goOn().ends == [.continued])
        #expect(open.coming == [path])
        #expect(open.placed.map(\.path) == [path])
    }

    @Test func aDocumentInNoContainerThatTheAppDidNotGiveStaysWhereItIsAndIsNotNamed() throws {
        let elsewhere = try AbsolutePath("/home/anna/letter.txt")
        laptop.documents.write(text("Dear Anna"), at: elsewhere)
        try names(elsewhere)
        #expect(goOn().ends == [.continued])
        #expect(try document(receiver) == .null)
        try userHearsThatAFileIsLeft()
    }

    /// Includes the file beyond the limit, although the receiver has a file at that path.
    @Test func theSeventeenthFileArrivesAsNullAndNoFileOfTheReceiverIsNamed() throws {
        let paths = try (0...Limits.documents).map { try folder.appending(DocumentPath("Documents/letter \($0 + 10)")) }
        for path in paths {
            laptop.documents.write(text("Dear Anna"), at: path)
            desktop.documents.write(text("My diary"), at: path)
        }
        let urls = paths.map { Value.url(FileURL($0).text) }
        app.saving = .userInfo(
            try Value.dictionary([.string("document"): .array(urls), .string("all"): .set(Set(urls))]).encoded())
        #expect(goOn().ends == [.continued])
        let documents = try #require(receiver?.documents.last)
        #expect(documents.count == Limits.documents)
        #expect(receiver?.states.last?.strayFiles(besides: documents).isEmpty == true)
        guard case .array(let items)? = try document(receiver) else {
            Issue.record("no list")
            return
        }
        #expect(items.filter { $0 == .null }.count == 1 && items.count == Limits.documents + 1)
        #expect(documents.last?.note?.contains("was not transferred") == true)
    }

    /// The app has a second to pass its file; then the state is sent without it.
    @Test func aFileThatIsGivenTooLateArrivesAsNull() throws {
        let elsewhere = try AbsolutePath("/home/anna/letter.txt")
        desktop.documents.write(text("My diary"), at: elsewhere)
        let url = FileURL(elsewhere).text
        let token = FileToken(uncheckedBytes: Array(repeating: 1, count: 32))
        try names(elsewhere)
        app.gives = [SavedFile(url: ExactText(url), path: elsewhere, token: token)]
        #expect(goOn().ends == [.continued])
        #expect(try document(receiver) == .null)
        try userHearsThatAFileIsLeft()
    }

    private func userHearsThatAFileIsLeft() throws {
        let notice = try #require(receiver?.documents.last?.first)
        #expect(notice.fate == .notTakenAlong && notice.path == nil && notice.url.isEmpty)
        #expect(notice.note == "a file that the activity names was not transferred")
    }

    @Test(arguments: [
        "file:///home/user/containers/iCloud.com.example.letters/Documents/letter.txt?a=b",
        "file:///home/user/containers/iCloud.com.example.letters/Documents/letter.txt#part",
        "file://elsewhere/home/user/containers/iCloud.com.example.letters/Documents/letter.txt",
        "file:///home/user/containers/iCloud.com.example.letters/../../secret",
        "file:///home/user/containers/iCloud.com.example.letters/%00",
    ])
    func aURLThatNamesNoDocumentArrivesAsNull(_ url: String) throws {
        laptop.documents.write(text("Dear Anna"), at: path)
        try names(path, as: url)
        #expect(goOn().ends == [.continued])
        #expect(try document(receiver) == .null)
        #expect(desktop.documents.bytes(at: path) == nil)
    }

    /// The last message may arrive long before the disk has all earlier bytes.
    @Test func aDiskThatIsSlowerThanTheNetworkGetsAllOfIt() throws {
        desktop.workTakes(.seconds(1))
        for size in stride(from: 2_200_000, through: 6_000_000, by: 190_001) {
            let bytes = Array(repeating: UInt8(truncatingIfNeeded: size), count: size)
            laptop.documents.write(bytes, at: path)
            #expect(goOn().ends == [.continued], "\(size) bytes")
            #expect(desktop.documents.bytes(at: path) == bytes)
        }
    }

    /// Shows V04. The memory of streams was returned earlier: the slow disk places the document after the last byte.
    @Test func memoryGoesBackOnceADocumentIsInPlace() throws {
        laptop.documents.write(Array(repeating: 3, count: 400_000), at: path)
        desktop.workTakes(.seconds(6))
        #expect(goOn().ends == [.continued])
        let before = desktop.memory.returns
        simulation.time.advance(by: MemoryReturn.rest + .seconds(1))
        #expect(desktop.memory.returns == before + 1)
        simulation.time.advance(by: MemoryReturn.longestWait * 2)
        #expect(desktop.memory.returns == before + 1)
    }

    @Test func memoryGoesBackAfterADocumentThatFailed() throws {
        laptop.documents.write(text("Dear Anna"), at: path)
        desktop.documents.fail(.begin, with: Failure(.documentNotPlaced, "there is no room"))
        #expect(goOn().ends == [.failed(.documentNotPlaced)])
        simulation.time.advance(by: MemoryReturn.rest + .seconds(1))
        #expect(desktop.memory.returns >= 1)
    }

    // MARK: Failures

    /// Shows E01.
    @Test func anOriginThatDiesHalfwayLeavesNothingAndIsGoneOnFromLater() throws {
        let long = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }
        laptop.documents.write(long, at: path)
        laptop.documents.readSlowly(10_000)
        let wish = desktop.wish(for: letter)
        #expect(simulation.time.run(until: { laptop.documents.calls(of: .next) > 150 }, within: .seconds(60)))
        laptop.crash()
        _ = simulation.time.run(until: { !wish.ends.isEmpty }, within: .seconds(60))
        #expect(wish.ends.count == 1)
        #expect(desktop.documents.files(below: folder).isEmpty)
        // The partial arrival is reused.
        try laptop.start()
        laptop.documents.readSlowly(.max)
        simulation.time.advance(by: .seconds(20))
        let before = laptop.documents.calls(of: .next)
        #expect(goOn().ends == [.continued])
        #expect(desktop.documents.bytes(at: path) == long)
        #expect(laptop.documents.calls(of: .next) - before < 4)
        #expect(desktop.documents.arrivals == 0)
    }

    /// A partial arrival needs a chunk list, which would be too long for a very large file.
    @Test func aCutFileWhoseListIsRefusedComesWholeTheNextTime() throws {
        let long = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }
        laptop.documents.write(long, at: path)
        laptop.documents.readSlowly(10_000)
        let wish = desktop.wish(for: letter)
        #expect(simulation.time.run(until: { laptop.documents.calls(of: .next) > 50 }, within: .seconds(60)))
        laptop.crash()
        _ = simulation.time.run(until: { !wish.ends.isEmpty }, within: .seconds(60))
        try laptop.start()
        laptop.documents.readSlowly(.max)
        laptop.documents.fail(.chunks, with: Failure(.limitReached, "it is too large for a chunk list"))
        simulation.time.advance(by: .seconds(20))
        #expect(goOn().ends == [.continued])
        let isWhole = desktop.documents.bytes(at: path) == long
        #expect(isWhole)
        #expect(desktop.documents.arrivals == 0)
        #expect(desktop.documents.dropped == 0)
    }

    /// A new continuation cancels the previous one at any moment. Its documents are abandoned, and finally its partial
    /// arrivals too.
    @Test func theLoopLetsGoOfNoDocumentOnItsWay() throws {
        desktop.workTakes(.milliseconds(40))
        laptop.documents.readSlowly(10_000)
        for step in 0..<40 {
            let long = (0..<60_000).map { UInt8(truncatingIfNeeded: $0 &* (step + 3) &+ $0 >> 9) }
            laptop.documents.write(long, at: path)
            let first = desktop.wish(for: letter)
            simulation.time.advance(by: .milliseconds(25 * step))
            #expect(goOn().ends == [.continued], "step \(step)")
            #expect(first.ends.count == 1)
        }
        laptop.documents.write(Array(repeating: 1, count: 300_000), at: path)
        let wish = desktop.wish(for: letter)
        let before = laptop.documents.calls(of: .next)
        #expect(simulation.time.run(until: { laptop.documents.calls(of: .next) > before + 5 }, within: .seconds(60)))
        laptop.crash()
        _ = simulation.time.run(until: { !wish.ends.isEmpty }, within: .seconds(60))
        simulation.time.advance(by: .seconds(700))
        #expect(desktop.documents.arrivals == 0)
        #expect(desktop.documents.dropped == 0)
    }

    @Test func aDocumentThatChangesOnItsWayIsTakenAsItIsThen() throws {
        let long = Array(repeating: UInt8(1), count: 300_000)
        laptop.documents.write(long, at: path)
        laptop.documents.readSlowly(10_000)
        let wish = desktop.wish(for: letter)
        #expect(simulation.time.run(until: { laptop.documents.calls(of: .next) > 5 }, within: .seconds(60)))
        laptop.documents.write(text("short now"), at: path)
        _ = simulation.time.run(until: { !wish.ends.isEmpty }, within: .seconds(60))
        #expect(wish.ends == [.continued])
        #expect(desktop.documents.bytes(at: path) == text("short now"))
    }

    @Test func aFullDiskEndsItWithAReason() throws {
        laptop.documents.write(text("Dear Anna"), at: path)
        desktop.documents.fail(.begin, with: Failure(.documentNotPlaced, "there is no room"))
        #expect(goOn().ends == [.failed(.documentNotPlaced)])
        #expect(desktop.documents.files(below: folder).isEmpty && desktop.documents.arrivals == 0)
    }

    @Test func twoDevicesTakeOneDocumentAtOnce() throws {
        let long = Array(repeating: UInt8(3), count: 500_000)
        laptop.documents.write(long, at: path)
        laptop.documents.readSlowly(10_000)
        let receivers = [desktop, simulation.devices[2]]
        let wishes = receivers.map { $0.wish(for: letter) }
        _ = simulation.time.run(until: { wishes.allSatisfy { !$0.ends.isEmpty } }, within: .seconds(60))
        #expect(wishes.map(\.ends) == [[.continued], [.continued]])
        #expect(receivers.map { $0.documents.bytes(at: path) } == [long, long])
    }

    @Test func aRemovedDeviceReceivesNoFurtherData() throws {
        laptop.documents.write(Array(repeating: 5, count: 1_000_000), at: path)
        laptop.documents.readSlowly(1000)
        let wish = desktop.wish(for: letter)
        #expect(simulation.time.run(until: { laptop.documents.calls(of: .next) > 5 }, within: .seconds(60)))
        try simulation.ask(laptop, .identity(.removeDevice(desktop.name, onlyAsk: false)))
        let read = laptop.documents.calls(of: .next)
        laptop.documents.readSlowly(.max)
        _ = simulation.time.run(until: { !wish.ends.isEmpty }, within: .seconds(60))
        #expect(wish.ends.count == 1 && wish.ends != [.continued])
        #expect(laptop.documents.calls(of: .next) - read < 3)
        #expect(desktop.documents.files(below: folder).isEmpty)
    }

    @Test func itsUserCanTurnToSomethingElse() throws {
        laptop.documents.write(Array(repeating: 5, count: 1_000_000), at: path)
        laptop.documents.readSlowly(1000)
        let wish = desktop.wish(for: letter)
        #expect(simulation.time.run(until: { laptop.documents.calls(of: .next) > 5 }, within: .seconds(60)))
        let second = desktop.wish(for: letter)
        laptop.documents.readSlowly(.max)
        _ = simulation.time.run(until: { !second.ends.isEmpty }, within: .seconds(60))
        #expect(wish.ends == [.failed(.cancelled)] && second.ends == [.continued])
        #expect(desktop.documents.arrivals == 0)
    }
}
