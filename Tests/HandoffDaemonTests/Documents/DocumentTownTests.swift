// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffWire
import Testing

/// Documents between whole daemons: the editor of the laptop has one open, and goes on on the desktop. Shows B17.
@Suite struct DocumentTownTests {
    private let town: Town
    private let laptop: TownDevice
    private let desktop: TownDevice
    private let app: TownApp
    private let letter: ActivityID
    /// Where the container lies on every device.
    private let folder: AbsolutePath
    private let path: AbsolutePath

    init() throws {
        town = try Town.founded(seed: 11)
        (laptop, desktop) = (town.devices[0], town.devices[1])
        app = try #require(laptop.open(town.installed[0]))
        letter = .random(using: &town.random)
        folder = try AbsolutePath("/home/user/containers/\(Town.container)")
        path = try folder.appending(DocumentPath("Documents/letter.txt"))
        let type = try #require(app.app.activityTypes.first)
        app.publish(Publication(activity: letter, type: type, title: DisplayText(cleaning: "Letter")))
        try names(path)
        town.time.advance(by: .seconds(3))
    }

    /// What the app's state names.
    private func names(_ path: AbsolutePath, as url: String? = nil) throws {
        let value = Value.dictionary([
            .string("document"): .url(url ?? FileURL(path).text), .string("line"): .signed(7),
        ])
        app.saving = .userInfo(try value.encoded())
    }

    private func goOn(from device: TownDevice? = nil, within bound: Duration = .seconds(120)) -> TownWish {
        let wish = desktop.wish(for: letter)
        _ = town.time.run(until: { !wish.ends.isEmpty }, within: bound)
        return wish
    }

    private func text(_ text: String) -> [UInt8] { Array(text.utf8) }
    private var receiver: TownApp? { desktop.apps.last { !$0.states.isEmpty } }
    private var delivered: DeliveredDocument? { receiver?.documents.last?.first }

    /// What the receiving app finds in its userInfo.
    private func url(_ app: TownApp?) throws -> String? {
        guard let state = app?.states.last, case .dictionary(let entries) = try Value(encoded: state.userInfo),
            case .url(let url)? = entries[.string("document")]
        else { return nil }
        return url
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

    @Test func theSameBytesAreNotSent() throws {
        laptop.documents.write(text("Dear Anna"), at: path)
        desktop.documents.write(text("Dear Anna"), at: path)
        #expect(goOn().ends == [.continued])
        #expect(delivered?.fate == .same)
        #expect(laptop.documents.calls(of: .open) == 0)
    }

    @Test func whatTheOriginHadBeforeIsReplaced() throws {
        laptop.documents.write(text("Dear Anna"), at: path)
        #expect(goOn().ends == [.continued])
        laptop.documents.write(text("Dear Anna, how are you?"), at: path)
        #expect(goOn().ends == [.continued])
        #expect(delivered?.fate == .replaced)
        #expect(desktop.documents.bytes(at: path) == text("Dear Anna, how are you?"))
        // What was there is kept for a week.
        let versions = try desktop.documents.versions()
        #expect(versions.map(\.path) == [path])
        #expect(desktop.documents.files(below: folder) == [path])
    }

    @Test func whatWasTooLargeToBeHashedIsKnownToItsOriginOnceItWent() throws {
        laptop.documents.hash(atMost: 5)
        laptop.documents.write(text("Dear Anna"), at: path)
        #expect(goOn().ends == [.continued])
        laptop.documents.write(text("Dear Anna, how are you?"), at: path)
        #expect(goOn().ends == [.continued])
        #expect(delivered?.fate == .replaced)
        #expect(desktop.documents.files(below: folder) == [path])
    }

    @Test func whatIsNewerHereStays() throws {
        laptop.documents.write(text("Dear Anna"), at: path)
        #expect(goOn().ends == [.continued])
        desktop.documents.write(text("Dear Anna, dear Bob"), at: path)
        #expect(goOn().ends == [.continued])
        #expect(delivered?.fate == .newerHere && delivered?.note != nil)
        #expect(desktop.documents.bytes(at: path) == text("Dear Anna, dear Bob"))
    }

    @Test func ofTwoThatWereBothChangedNothingIsLost() throws {
        laptop.documents.write(text("Dear Anna"), at: path)
        desktop.documents.write(text("Dear Bob"), at: path)
        #expect(goOn().ends == [.continued])
        #expect(delivered?.fate == .conflict)
        #expect(desktop.documents.bytes(at: path) == text("Dear Anna"))
        let copy = try #require(delivered?.keptCopy)
        #expect(desktop.documents.bytes(at: copy) == text("Dear Bob"))
        #expect(copy.text.contains("(\(desktop.name), 20"))
        // Once more the same: no second copy.
        desktop.documents.write(text("Dear Bob"), at: path)
        laptop.documents.write(text("Dear Anna!"), at: path)
        #expect(goOn().ends == [.continued])
        #expect(desktop.documents.files(below: folder).count == 2)
    }

    @Test func whatAnAppHasNotSavedIsNotTouched() throws {
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

    @Test func whoSavesIsAskedAndToldAndDecidedAboutAnew() throws {
        laptop.documents.write(text("Dear Anna"), at: path)
        #expect(goOn().ends == [.continued])
        laptop.documents.write(text("Dear Anna, II"), at: path)
        let open = try #require(receiver)
        #expect(goOn().ends == [.continued])
        #expect(open.coming == [path])
        #expect(open.placed.map(\.path) == [path])
    }

    @Test func aDocumentInNoContainerThatTheAppDidNotGiveStaysWhereItIs() throws {
        let elsewhere = try AbsolutePath("/home/anna/letter.txt")
        laptop.documents.write(text("Dear Anna"), at: elsewhere)
        try names(elsewhere)
        #expect(goOn().ends == [.continued])
        #expect(try url(receiver) == "file:///home/anna/letter.txt")
        #expect(receiver?.documents.last?.isEmpty == true)
    }

    @Test(arguments: [
        "file:///home/user/containers/iCloud.com.example.letters/Documents/letter.txt?a=b",
        "file:///home/user/containers/iCloud.com.example.letters/Documents/letter.txt#part",
        "file://elsewhere/home/user/containers/iCloud.com.example.letters/Documents/letter.txt",
        "file:///home/user/containers/iCloud.com.example.letters/../../secret",
        "file:///home/user/containers/iCloud.com.example.letters/%00",
    ])
    func aURLThatNamesNoDocumentStaysAsItIs(_ url: String) throws {
        laptop.documents.write(text("Dear Anna"), at: path)
        try names(path, as: url)
        #expect(goOn().ends == [.continued])
        #expect(try self.url(receiver) == url)
        #expect(desktop.documents.bytes(at: path) == nil)
    }

    /// The last word, too, may come long before the disk has what came before it.
    @Test func aDiskThatIsSlowerThanTheNetworkGetsAllOfIt() throws {
        desktop.workTakes(.seconds(1))
        for size in stride(from: 2_200_000, through: 6_000_000, by: 190_001) {
            let bytes = Array(repeating: UInt8(truncatingIfNeeded: size), count: size)
            laptop.documents.write(bytes, at: path)
            #expect(goOn().ends == [.continued], "\(size) bytes")
            #expect(desktop.documents.bytes(at: path) == bytes)
        }
    }

    // MARK: What goes wrong

    /// Shows E01.
    @Test func anOriginThatDiesHalfwayLeavesNothingAndIsGoneOnFromLater() throws {
        let long = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }
        laptop.documents.write(long, at: path)
        laptop.documents.readSlowly(10_000)
        let wish = desktop.wish(for: letter)
        #expect(town.time.run(until: { laptop.documents.calls(of: .next) > 150 }, within: .seconds(60)))
        laptop.crash()
        _ = town.time.run(until: { !wish.ends.isEmpty }, within: .seconds(60))
        #expect(wish.ends.count == 1)
        #expect(desktop.documents.files(below: folder).isEmpty)
        // What came is used.
        try laptop.start()
        laptop.documents.readSlowly(.max)
        town.time.advance(by: .seconds(20))
        let before = laptop.documents.calls(of: .next)
        #expect(goOn().ends == [.continued])
        #expect(desktop.documents.bytes(at: path) == long)
        #expect(laptop.documents.calls(of: .next) - before < 4)
        #expect(desktop.documents.arrivals == 0)
    }

    @Test func aDocumentThatChangesOnItsWayIsTakenAsItIsThen() throws {
        let long = Array(repeating: UInt8(1), count: 300_000)
        laptop.documents.write(long, at: path)
        laptop.documents.readSlowly(10_000)
        let wish = desktop.wish(for: letter)
        #expect(town.time.run(until: { laptop.documents.calls(of: .next) > 5 }, within: .seconds(60)))
        laptop.documents.write(text("short now"), at: path)
        _ = town.time.run(until: { !wish.ends.isEmpty }, within: .seconds(60))
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
        let receivers = [desktop, town.devices[2]]
        let wishes = receivers.map { $0.wish(for: letter) }
        _ = town.time.run(until: { wishes.allSatisfy { !$0.ends.isEmpty } }, within: .seconds(60))
        #expect(wishes.map(\.ends) == [[.continued], [.continued]])
        #expect(receivers.map { $0.documents.bytes(at: path) } == [long, long])
    }

    @Test func aDeviceThatIsRemovedGetsNoMoreOfIt() throws {
        laptop.documents.write(Array(repeating: 5, count: 1_000_000), at: path)
        laptop.documents.readSlowly(1000)
        let wish = desktop.wish(for: letter)
        #expect(town.time.run(until: { laptop.documents.calls(of: .next) > 5 }, within: .seconds(60)))
        try town.ask(laptop, .identity(.removeDevice(desktop.name, onlyAsk: false)))
        let read = laptop.documents.calls(of: .next)
        laptop.documents.readSlowly(.max)
        _ = town.time.run(until: { !wish.ends.isEmpty }, within: .seconds(60))
        #expect(wish.ends.count == 1 && wish.ends != [.continued])
        #expect(laptop.documents.calls(of: .next) - read < 3)
        #expect(desktop.documents.files(below: folder).isEmpty)
    }

    @Test func itsUserCanTurnToSomethingElse() throws {
        laptop.documents.write(Array(repeating: 5, count: 1_000_000), at: path)
        laptop.documents.readSlowly(1000)
        let wish = desktop.wish(for: letter)
        #expect(town.time.run(until: { laptop.documents.calls(of: .next) > 5 }, within: .seconds(60)))
        let second = desktop.wish(for: letter)
        laptop.documents.readSlowly(.max)
        _ = town.time.run(until: { !second.ends.isEmpty }, within: .seconds(60))
        #expect(wish.ends == [.failed(.cancelled)] && second.ends == [.continued])
        #expect(desktop.documents.arrivals == 0)
    }
}
