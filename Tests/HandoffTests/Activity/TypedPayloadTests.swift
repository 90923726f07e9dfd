// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffWire
import Testing

@testable import Handoff

/// Shows A37.
@Suite struct TypedPayloadTests {
    private struct Place: Codable, Equatable {
        var chapter: Int
        var offset: Double
        var isBookmarked: Bool
    }

    private struct Reading: Codable, Equatable {
        enum CodingKeys: String, CodingKey {
            case book = "book-id"
            case opened, cover, page, places, notes, editor, marks, small, big, precise
        }

        var book = UUID()
        var opened = Date(timeIntervalSinceReferenceDate: 1234.5)
        var cover = Data([1, 2, 3])
        var page = URL(string: "https://example.com/a?b=c#d")!
        var places = [Place(chapter: 3, offset: 0.25, isBookmarked: true)]
        var notes: [String: [String]] = ["3": ["funny", "sad"]]
        var editor: String?
        var marks: [Int?] = [1, nil, 3]
        var small: Int8 = -128
        var big: UInt64 = .max
        var precise: Float = 0.1
    }

    private struct Order: Codable {
        enum CodingKeys: String, CodingKey { case count = "caf\u{E9}" }

        var count: Int?
    }

    let laptop: Laptop
    private let activity: NSUserActivity

    init() throws {
        laptop = try Laptop(startingDaemon: false)
        activity = laptop.activity()
    }

    @Test func payloadRoundTrips() throws {
        var reading = Reading()
        try activity.setTypedPayload(reading)
        #expect(try activity.typedPayload(Reading.self) == reading)
        reading.editor = "Anna"
        try activity.setTypedPayload(reading)
        #expect(try activity.typedPayload(Reading.self) == reading)
    }

    @Test func payloadRoundTripsToTheOtherDevice() throws {
        let reading = Reading()
        try activity.setTypedPayload(reading)
        let arrived = NSUserActivity(
            type: activity.record.type,
            content: try ActivityContent(try activity.content.state(of: activity.record.type)), center: laptop.center)
        #expect(try arrived.typedPayload(Reading.self) == reading)
    }

    @Test func keysAreTheCodingKeysAndValuesWhatTheyAre() throws {
        let reading = Reading()
        try activity.setTypedPayload(reading)
        let userInfo = try #require(activity.userInfo)
        #expect(userInfo["book-id"] as? UUID == reading.book)
        #expect(userInfo["opened"] as? Date == reading.opened)
        #expect(userInfo["cover"] as? Data == reading.cover)
        #expect(userInfo["page"] as? URL == reading.page)
        #expect(userInfo["small"] as? Int == -128)
        #expect(userInfo["big"] as? UInt64 == .max)
        #expect(userInfo["notes"] as? [String: [String]] == reading.notes)
        #expect((userInfo["places"] as? [[String: Any]])?.first?["isBookmarked"] as? Bool == true)
        #expect(userInfo["editor"] == nil)
    }

    @Test func payloadReplacesAllThatWasThere() throws {
        activity.userInfo = ["left": "over"]
        try activity.setTypedPayload(Place(chapter: 1, offset: 0, isBookmarked: false))
        #expect(activity.userInfo?.count == 3)
    }

    @Test func userInfoThatWasSetByHandCanBeRead() throws {
        activity.userInfo = ["chapter": NSNumber(value: 3), "offset": 1, "isBookmarked": true, "added": "later"]
        #expect(try activity.typedPayload(Place.self) == Place(chapter: 3, offset: 1, isBookmarked: true))
    }

    private struct Base: Codable, Equatable {
        enum CodingKeys: CodingKey { case id }
        var id = 7
    }
    private final class Derived: Codable {
        var name = "n"
        var base = Base()
        enum CodingKeys: CodingKey { case name, nested, list }
        enum Inner: CodingKey { case deep }
        init() {}
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decode(String.self, forKey: .name)
            base = try Base(from: try container.superDecoder())
            let inner = try container.nestedContainer(keyedBy: Inner.self, forKey: .nested)
            #expect(try inner.decode(Int.self, forKey: .deep) == 1)
            var list = try container.nestedUnkeyedContainer(forKey: .list)
            #expect(try list.decode(String.self) == "first")
            #expect(throws: DecodingError.self) { try list.decode(Int.self) }
            var sublist = try list.nestedUnkeyedContainer()
            #expect(try sublist.decode(Bool.self))
            #expect(sublist.isAtEnd && list.isAtEnd)
            #expect(throws: DecodingError.self) { try list.decode(Int.self) }
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            try base.encode(to: container.superEncoder())
            var inner = container.nestedContainer(keyedBy: Inner.self, forKey: .nested)
            try inner.encode(1, forKey: .deep)
            var list = container.nestedUnkeyedContainer(forKey: .list)
            try list.encode("first")
            var sublist = list.nestedUnkeyedContainer()
            try sublist.encode(true)
        }
    }

    @Test func nestedContainersRoundTrip() throws {
        let derived = Derived()
        derived.name = "changed"
        derived.base.id = 9
        try activity.setTypedPayload(derived)
        let back = try activity.typedPayload(Derived.self)
        #expect(back.name == "changed")
        #expect(back.base == Base(id: 9))
    }

    @Test func unkeyedPayloadIsAnEncodingError() {
        activity.userInfo = ["kept": 1]
        for attempt in [
            { try activity.setTypedPayload(5) }, { try activity.setTypedPayload([1, 2]) },
            { try activity.setTypedPayload("text") }, { try activity.setTypedPayload(Date()) },
            { try activity.setTypedPayload(Place?.none) },
        ] {
            #expect(throws: NSUserActivity.TypedPayloadError.encodingError) { try attempt() }
        }
        #expect(activity.userInfo as? [String: Int] == ["kept": 1])
    }

    private struct Refusing: Codable {
        init() {}
        init(from decoder: any Decoder) throws {}
        func encode(to encoder: any Encoder) throws { throw CocoaError(.fileNoSuchFile) }
    }

    private struct TwoFaced: Codable {
        init() {}
        init(from decoder: any Decoder) throws {}
        func encode(to encoder: any Encoder) throws {
            _ = encoder.container(keyedBy: Base.CodingKeys.self)
            _ = encoder.unkeyedContainer()
        }
    }

    private final class Endless: Codable {
        var next: Endless?
    }

    @Test func payloadThatCannotBeEncodedIsAnEncodingError() {
        #expect(throws: NSUserActivity.TypedPayloadError.encodingError) { try activity.setTypedPayload(Refusing()) }
        #expect(throws: NSUserActivity.TypedPayloadError.encodingError) { try activity.setTypedPayload(TwoFaced()) }
        let endless = Endless()
        endless.next = endless
        #expect(throws: NSUserActivity.TypedPayloadError.encodingError) { try activity.setTypedPayload(endless) }
        endless.next = nil
        #expect(activity.userInfo?.isEmpty == true)
    }

    @Test func emptyUserInfoIsInvalidContent() {
        #expect(throws: NSUserActivity.TypedPayloadError.invalidContent) { try activity.typedPayload(Refusing.self) }
        activity.userInfo = [:]
        #expect(throws: NSUserActivity.TypedPayloadError.invalidContent) { try activity.typedPayload(Refusing.self) }
    }

    @Test func userInfoOfAnotherShapeIsInvalidContent() {
        let shapes: [[AnyHashable: Any]] = [
            ["chapter": 3, "offset": 0.5],
            ["chapter": "3", "offset": 0.5, "isBookmarked": true],
            ["chapter": 3.5, "offset": 0.5, "isBookmarked": true],
            ["chapter": UInt64.max, "offset": 0.5, "isBookmarked": true],
            ["chapter": 3, "offset": Data(), "isBookmarked": true],
            ["chapter": 3, "offset": 0.5, "isBookmarked": 1],
            [3: "chapter"],
        ]
        for userInfo in shapes {
            activity.userInfo = userInfo
            #expect(throws: NSUserActivity.TypedPayloadError.invalidContent) { try activity.typedPayload(Place.self) }
        }
    }

    @Test func aTextIsNotADateOrAnIdentifier() {
        activity.userInfo = ["book-id": "x", "opened": 5, "cover": "x", "page": "x"]
        #expect(throws: NSUserActivity.TypedPayloadError.invalidContent) { try activity.typedPayload(Reading.self) }
    }

    /// As in a Swift dictionary: two versions of an app may encode the key in two ways.
    @Test func aKeyIsFoundInEitherSpelling() throws {
        let sent = Value.dictionary([.string("cafe\u{301}"): .signed(3)])
        #expect(try Order(from: PayloadDecoder(sent)).count == 3)
    }
}
