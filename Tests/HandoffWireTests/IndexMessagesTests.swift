// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Testing

/// The messages between the daemon and the program of the history. Shows W05.
@Suite struct IndexMessagesTests {
    private static let noon = WallTime(milliseconds: 1_800_000_000_000)
    private static let app = try! BundleID("com.example.notes")
    private static let entry = HistoryEntry(
        app: app, key: .content(try! ActivityType("com.example.reading"), title: "Eggs", userInfo: [1, 2]),
        type: try! ActivityType("com.example.reading"), title: "Eggs\u{0} and milk",
        words: HistoryWords(title: ["eggs", "milk"], others: [["north", "sea"], [], ["喫", "茶"]]),
        domain: "home.kitchen",
        relatedItem: "item-7", persistentIdentifier: "note-7", targetContentIdentifier: "note/7", userInfo: [3, 4],
        webpageURL: "https://example.com/7", expires: noon)

    private static let requests: [IndexRequest] = [
        .keep(entry, used: noon), .find([["eggs"], ["north", "se"]], limit: 20, now: noon),
        .find([], limit: 1, now: noon), .lookUp(.max), .expire(now: noon, unusedFor: .seconds(3600)),
        .change(
            [.put(entry, isUpdate: true), .put(entry, isUpdate: false), .remove(.domains(["a"], of: app))], by: app,
            HistoryClientState([1, 2], of: "notes"), now: noon),
        .change([], by: app, nil, now: noon), .clientState(of: app, index: "notes"), .remove(.activities(of: app)),
        .remove(.allItems(of: app)), .remove(.everything), .remove(.app(app)), .remove(.entries([1, 7])),
        .remove(.persistent(["a", "b"], of: app)),
        .remove(.items(["a"], of: app)), .remove(.domains(["a.b"], of: app)), .remove(.transfers), .transfers,
        .addTransfer(transfer),
    ]

    private static let transfer = ActivityTransfer(
        .received, at: noon, device: DeviceID(uncheckedBytes: Array(repeating: 1, count: 32)),
        deviceName: DisplayText(cleaning: "laptop"), type: .browsingWeb, title: DisplayText(cleaning: "Eggs"), app: app,
        appName: DisplayText(cleaning: "Notes"), persistentIdentifier: "note-7")

    private static let answers: [IndexAnswer] = [
        IndexAnswer(.done(3)), IndexAnswer(.clientState([1, 2])), IndexAnswer(.failure("no room"), notice: "set aside"),
        IndexAnswer(.found([HistoryMatch(7, entry, lastUse: noon)])), IndexAnswer(.transfers([transfer])),
    ]

    @Test(arguments: requests) func requestsArriveAsTheyWere(request: IndexRequest) throws {
        #expect(try IndexRequest(encoded: request.encoded()) == request)
    }

    @Test(arguments: answers) func answersArriveAsTheyWere(answer: IndexAnswer) throws {
        #expect(try IndexAnswer(encoded: answer.encoded()) == answer)
    }

    @Test func truncatedMessagesAreErrorsOrSmallerMessages() throws {
        for request in Self.requests {
            let bytes = try request.encoded()
            for count in bytes.indices { _ = try? IndexRequest(encoded: bytes.prefix(count)) }
        }
        for answer in Self.answers {
            let bytes = try answer.encoded()
            for count in bytes.indices { _ = try? IndexAnswer(encoded: bytes.prefix(count)) }
        }
        #expect(throws: WireError(.unknownKind, "")) { try IndexRequest(encoded: []) }
        #expect(throws: WireError(.unknownKind, "")) { try IndexAnswer(encoded: []) }
    }

    @Test func allKeysAreDifferent() throws {
        let keys: [HistoryKey] = [.item("7"), .persistent("7"), .target("7"), .page("7"), Self.entry.key]
        #expect(try Set(keys.map { try $0.encoded() }).count == keys.count)
    }

    /// The parts of a batch, each of which fits into a frame.
    @Test func largeBatchIsSentInPartsAndItsClientStateWithTheLast() throws {
        let item = IndexedItem("note", attributes: Array(repeating: 0, count: 60_000))
        let names = (0..<2000).map { ExactText("note-\($0)") }
        let batch = IndexChanges(
            index: "notes", [.deleteItems(names)] + Array(repeating: .item(item), count: 40), clientState: [1])
        let parts = batch.parts
        #expect(
            parts.count > 4 && parts.dropLast().allSatisfy { $0.clientState == nil } && parts.last?.clientState == [1])
        #expect(parts.flatMap(\.changes).count { $0 == .item(item) } == 40)
        let deleted = parts.flatMap(\.changes).flatMap { (change) -> [ExactText] in
            if case .deleteItems(let names) = change { names } else { [] }
        }
        #expect(deleted == names)
        for part in parts {
            #expect(part.index == "notes")
            let frame = try LocalFrame(.history(.changeIndex(part)), request: 1).encoded()
            #expect(frame.count < Limits.frameBytes)
        }
        #expect(IndexChanges([], clientState: [2]).parts == [IndexChanges([], clientState: [2])])
    }

    @Test(arguments: [
        IndexChanges([.item(IndexedItem(""))]), IndexChanges([], clientState: Array(repeating: 0, count: 251)),
        IndexChanges([.item(IndexedItem(ExactText(String(repeating: "a", count: 1025))))]),
        IndexChanges(index: String(repeating: "a", count: 1025), []),
        IndexChanges([.item(IndexedItem("a", attributes: Array(repeating: 0, count: 65_537)))]),
    ])
    func changesOverTheLimitsAreRefused(changes: IndexChanges) throws {
        let bytes = try LocalFrame(.history(.changeIndex(changes)), request: 1).encoded()
        #expect(throws: WireError(.limitReached, "")) { try LocalFrame(encoded: bytes) }
    }
}
