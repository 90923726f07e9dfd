// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffTrust
import HandoffWire
import Testing

// Shows X06, T04.

/// A member that names files of the device that continues its activity.
@Suite struct HostileStateTests {
    private let simulation: Simulation
    private let laptop: SimulatedDevice
    private let thief: HostileMember
    private let link: any PeerLink
    private let editor: InstalledApp
    private let activity = ActivityID(uncheckedBytes: Array(repeating: 7, count: 16))
    private let diary: AbsolutePath

    init() throws {
        simulation = try Simulation.founded(seed: 7)
        laptop = simulation.devices[0]
        editor = simulation.installed[0]
        diary = try AbsolutePath("/home/user/containers/\(Simulation.container)/Documents/diary.txt")
        laptop.documents.write(Array("My diary".utf8), at: diary)
        thief = try HostileMember(in: simulation.devices[2], of: simulation)
        link = try #require(thief.dial(laptop))
    }

    private func offer() throws -> Offer {
        Offer(
            activity: activity, type: try #require(editor.activityTypes.first),
            title: DisplayText(cleaning: "weekly letter"), bundle: editor.bundle, appName: editor.name,
            team: try #require(laptop.team(of: editor)), since: simulation.time.wallTime)
    }

    /// Sends `frame` to the laptop with that `userInfo`, which the real daemon would not send.
    private func say(_ frame: PeerFrame, _ value: Value) throws {
        let link = try #require(link as? MemoryLink)
        link.sendRaw(try RawStates.body(of: frame, adding: RawStates.userInfo(value)))
    }

    /// Answers the laptop's fetch with that `userInfo`.
    private func answer(with value: Value, _ references: [DocumentReference] = []) throws -> SimulatedRequest {
        link.send(PeerFrame(.advertising(.boardSnapshot(BoardSnapshot(revision: 1, offers: [try offer()])))))
        simulation.time.advance(by: .seconds(1))
        let wish = laptop.wish(for: activity)
        var asked: UInt64?
        _ = simulation.time.run(
            until: {
                asked =
                    thief.received.last { if case .continuation(.fetch) = $0.message { true } else { false } }?
                    .request
                return asked != nil
            }, within: .seconds(10))
        let state = try CarriedState(ActivityState(type: try offer().type))
        let frame = PeerFrame(
            .continuation(.fetched(state, saving: .zero, documents: references)), answer: try #require(asked))
        try say(frame, value)
        _ = simulation.time.run(until: { !wish.ends.isEmpty }, within: .seconds(60))
        return wish
    }

    private var stray: [String] {
        laptop.apps.flatMap { app in
            zip(app.states, app.documents).flatMap { $0.strayFiles(besides: $1) }
        }
    }

    @Test func aFileOfThisDeviceThatAMemberNamesReachesNoApp() throws {
        let url = Value.url(FileURL(diary).text)
        let key = Value.url("file:///home/anna/.ssh/id")
        let wish = try answer(
            with: .dictionary([
                .string("NSUserActivityDocumentURL"): url, .string("all"): .set([key, .array([url])]), key: .null,
            ]))
        #expect(wish.ends == [.continued])
        #expect(laptop.apps.flatMap(\.states).count == 1)
        #expect(stray.isEmpty)
    }

    @Test func documentsWithoutReferencesReachNoApp() throws {
        let wish = try answer(with: .dictionary([.string("a"): .document(0), .document(15): .string("b")]))
        #expect(wish.ends == [.continued])
        #expect(stray.isEmpty)
    }

    @Test func malformedValueReachesNoApp() throws {
        let wish = try answer(with: .dictionary([.string("a"): .document(16)]))
        #expect(wish.ends.count == 1 && wish.ends != [.continued])
        #expect(laptop.apps.flatMap(\.states).isEmpty)
    }

    /// Many references with long paths: 348 MB if they were decoded before they were counted.
    @Test func documentsThatWouldNotFitFailTheContinuation() throws {
        let path = try DocumentPath(
            bytes: Array(
                Array(repeating: Array(repeating: UInt8(0xFF), count: 250), count: 14).joined(separator: [0x2F])))
        laptop.documents.write(
            [1], at: try AbsolutePath("/home/user/containers/\(Simulation.container)").appending(path))
        let reference = DocumentReference(
            index: 0, place: .container(Simulation.container, path), size: 1, modified: FileTime(nanoseconds: 0),
            hash: FileDigest(of: [1]))
        let wish = try answer(with: .array(Array(repeating: .document(0), count: 32_000)), [reference])
        #expect(wish.ends == [.failed(.malformed)])
        #expect(laptop.apps.flatMap(\.states).isEmpty)
    }

    @Test(arguments: [
        Value.dictionary([.string("a"): .set([.url("file:///home/anna/.ssh/id")])]),
        .dictionary([.url("FILE:///etc/passwd"): .null]), .dictionary([.string("a"): .document(0)]),
        .document(16),
    ])
    func aSendThatNamesAFileIsRefused(_ value: Value) throws {
        let sent = SentActivity(offer: try offer(), state: try CarriedState(ActivityState(type: try offer().type)))
        try say(PeerFrame(.sending(.sent(sent)), request: 9), value)
        simulation.time.advance(by: .seconds(2))
        #expect(!thief.received.contains { $0.answer == 9 })
        #expect(thief.closed.count == 1)
        #expect(try #require(laptop.listed()).allSatisfy { !$0.isSent })
        #expect(!laptop.store.files.keys.contains { $0.hasPrefix("received-") })
    }
}
