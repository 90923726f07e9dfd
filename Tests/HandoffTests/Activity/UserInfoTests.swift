// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffSystem
import HandoffWire
import Testing

@testable import Handoff

/// `userInfo` arrives unchanged. Shows A06.
@Suite struct UserInfoTests {
    let laptop: Laptop

    init() throws { laptop = try Laptop(startingDaemon: false) }

    /// `userInfo` as it arrives on the other device.
    private func delivered(_ userInfo: [AnyHashable: Any]) throws -> [AnyHashable: Any] {
        let activity = laptop.activity()
        activity.userInfo = userInfo
        let content = activity.record.state.withLock { $0.content }
        let state = try content.state(of: activity.record.type)
        return try #require(try ActivityContent(state).userInfo?.foundation)
    }

    private func delivered(_ value: Any) throws -> Any {
        try #require(try delivered(["value": value] as [AnyHashable: Any])["value"])
    }

    @Test func swiftTypesArrive() throws {
        let date = Date(timeIntervalSinceReferenceDate: 12_345.678)
        let uuid = UUID()
        #expect(try delivered("text") as? String == "text")
        #expect(try delivered(Data([1, 2, 3])) as? Data == Data([1, 2, 3]))
        #expect(try delivered(date) as? Date == date)
        #expect(
            try delivered(URL(string: "https://example.com/a?b=c#d")!) as? URL
                == URL(string: "https://example.com/a?b=c#d"))
        #expect(try delivered(uuid) as? UUID == uuid)
        #expect(try delivered(NSNull()) is NSNull)
        #expect(try delivered([1, 2, 3]) as? [Int] == [1, 2, 3])
        #expect(try delivered(["a": 1, "b": 2]) as? [String: Int] == ["a": 1, "b": 2])
        #expect(try delivered(Set(["a", "b"])) as? Set<String> == ["a", "b"])
        #expect(try delivered(Substring("part")) as? String == "part")
        #expect(try delivered([AnyHashable("boxed")]) as? [String] == ["boxed"])
    }

    // Shows A05.
    @Test func numbersOfCoordinatesArriveAsCGFloats() throws {
        #expect(try delivered(CGFloat(1.5)) as? CGFloat == 1.5)
        #expect(try delivered(CGFloat(1.5)) as? Double == 1.5)
        #expect(try delivered([CGFloat(1), 2.5]) as? [CGFloat] == [1, 2.5])
        #expect(try delivered(["x": CGFloat(3)]) as? [String: CGFloat] == ["x": 3])
        #expect(try delivered(3) as? CGFloat == 3)
        #expect(try delivered(UInt64.max) as? CGFloat == nil)
        #expect(try delivered("3") as? CGFloat == nil)
    }

    // Shows A05.
    @Test func keysOfFoundationFindWhatIsThere() throws {
        let userInfo: [AnyHashable: Any] = try delivered(["id": 7, "soft" as NSString: 8] as [AnyHashable: Any])
        #expect(userInfo["id" as NSString] as? Int == 7)
        #expect(userInfo[NSMutableString("id")] as? Int == 7)
        #expect(userInfo["soft"] as? Int == 8)
        let activity = laptop.activity()
        activity.userInfo = ["id": 7]
        activity.addUserInfoEntries(from: ["id" as NSString: 9])
        #expect(activity.userInfo?.count == 1)
        #expect(activity.userInfo?["id"] as? Int == 9)
    }

    @Test func foundationTypesArrive() throws {
        let date = NSDate(timeIntervalSinceReferenceDate: 99)
        let uuid = NSUUID()
        #expect(try delivered(NSString("text")) as? String == "text")
        #expect(try delivered(NSData(data: Data([7]))) as? Data == Data([7]))
        #expect(try delivered(date) as? Date == Date(timeIntervalSinceReferenceDate: 99))
        #expect(try delivered(NSURL(string: "https://example.com")!) as? URL == URL(string: "https://example.com"))
        #expect(try delivered(uuid) as? UUID == UUID(uuidString: uuid.uuidString))
        #expect(try delivered(NSArray(array: [1, "two"])) as? NSArray == NSArray(array: [1, "two"]))
        #expect(try delivered(NSDictionary(dictionary: ["a": 1])) as? [String: Int] == ["a": 1])
        #expect(try delivered(NSSet(array: [1, 2])) as? Set<Int> == [1, 2])
        #expect(try delivered(NSMutableString("soft")) as? String == "soft")
    }

    @Test func numbersCastToWhatHoldsThem() throws {
        for value in [1, NSNumber(value: 1), UInt8(1), Int64(1), UInt64(1)] as [Any] {
            let number = try delivered(value)
            #expect(number is NSNumber)
            #expect(number as? Int == 1)
            #expect(number as? Double == 1)
            #expect(number as? Bool == true)
            #expect(number as? UInt16 == 1)
        }
        #expect(try delivered(true) as? Bool == true)
        #expect(try delivered(1.5) as? Double == 1.5)
        #expect(try delivered(Float(2.5)) as? Float == 2.5)
        #expect(try delivered(CGFloat(3.5)) as? Double == 3.5)
        #expect(try delivered(UInt64.max) as? UInt64 == .max)
        #expect(try delivered(Int64.min) as? Int64 == .min)
        #expect(try delivered(Double.infinity) as? Double == .infinity)
    }

    /// A program in another language may send these; a Swift dictionary would keep only one of the two.
    @Test(arguments: [
        Value.dictionary([.signed(1): .null, .double(1): .null]), .array([.set([.unsigned(2), .signed(2)])]),
        .dictionary([.string("\u{E9}"): .null, .string("e\u{301}"): .null]), .set([.string("K"), .string("\u{212A}")]),
    ]) func keysThatAreEqualInSwiftAreAnErrorWithAReason(value: Value) throws {
        let state = ActivityState(
            type: try ActivityType("com.example.reading"),
            userInfo: try Value.dictionary([.string("k"): value]).encoded())
        let failure = #expect(throws: Failure(.malformed, "")) { try ActivityContent(state) }
        #expect(failure?.reason.contains("Swift considers equal") == true)
    }

    @Test func anAddedKeyReplacesAnEqualSwiftKey() {
        let activity = laptop.activity()
        activity.userInfo = ["caf\u{E9}": 1, "\u{212A}": 1, "other": 1]
        activity.addUserInfoEntries(from: ["cafe\u{301}": 2, "K": 2])
        #expect(activity.userInfo as? [String: Int] == ["caf\u{E9}": 2, "K": 2, "other": 1])
    }

    @Test func numberKeepsItsKind() throws {
        func kind(_ value: Any) throws -> Value? {
            let activity = laptop.activity()
            activity.userInfo = ["value": value]
            return activity.record.state.withLock { $0.content.userInfo?[.string("value")] }
        }
        #expect(try kind(true) == .boolean(true))
        #expect(try kind(NSNumber(value: false)) == .boolean(false))
        #expect(try kind(1) == .signed(1))
        #expect(try kind(NSNumber(value: 1)) == .signed(1))
        #expect(try kind(Int8(-1)) == .signed(-1))
        #expect(try kind(UInt64(1)) == .unsigned(1))
        #expect(try kind(NSNumber(value: UInt64.max)) == .unsigned(.max))
        #expect(try kind(1.0) == .double(1))
        #expect(try kind(NSNumber(value: 1.0)) == .double(1))
    }

    @Test func keysOfAllKindsAreFoundAgain() throws {
        let date = Date(timeIntervalSinceReferenceDate: 5)
        let uuid = UUID()
        let keys: [AnyHashable] = [
            "text", 1, UInt64.max, 2.5, true, date, uuid, Data([1]), URL(string: "https://example.com")!,
            [1, 2] as [AnyHashable], ["a": 1] as [AnyHashable: AnyHashable], Set<AnyHashable>([1]),
        ]
        var userInfo: [AnyHashable: Any] = [:]
        for (index, key) in keys.enumerated() { userInfo[key] = index }
        let arrived = try delivered(userInfo)
        #expect(arrived.count == keys.count)
        for (index, key) in keys.enumerated() { #expect(arrived[key] as? Int == index, "key \(key)") }
        // Foundation's objects become Swift values.
        let objects: [AnyHashable: Any] = [NSString("ns"): 1, NSNumber(value: 77): 2, NSNull(): 3]
        let fromObjects = try delivered(objects)
        #expect(fromObjects["ns"] as? Int == 1)
        #expect(fromObjects[77] as? Int == 2)
        #expect(fromObjects.first { $0.key.base is NSNull }?.value as? Int == 3)
    }

    @Test func nestedContainersArrive() throws {
        let nested: [AnyHashable: Any] = ["list": [["deep": [NSNull(), true, ["x"] as Set<String>] as [Any]]]]
        let arrived = try delivered(nested)
        let list = try #require(arrived["list"] as? [[AnyHashable: Any]])
        let deep = try #require(list.first?["deep"] as? [Any])
        #expect(deep[0] is NSNull)
        #expect(deep[1] as? Bool == true)
        #expect(deep[2] as? Set<String> == ["x"])
    }

    @Test func emptyIsNotNil() throws {
        let activity = laptop.activity()
        #expect(activity.userInfo?.isEmpty == true)
        activity.userInfo?["key"] = "value"
        #expect(activity.userInfo as? [String: String] == ["key": "value"])
        #expect(try delivered([:] as [AnyHashable: Any]).isEmpty)
        activity.userInfo = nil
        #expect(activity.userInfo == nil)
    }

    // Shows A05.
    @Test func nilArrivesAsNullAtEveryDepth() throws {
        let text: String? = nil
        let twice: Int?? = .some(nil)
        let arrived = try delivered(
            [
                "top": text as Any, "twice": twice as Any, "list": [text, "there"], "inside": ["deep": [text as Any]],
                "set": Set<String?>([nil]), "there": Optional("here") as Any, "deeper": Optional(Optional(7)) as Any,
            ] as [AnyHashable: Any])
        #expect(arrived["top"] is NSNull)
        #expect(arrived["twice"] is NSNull)
        let list = try #require(arrived["list"] as? [Any])
        #expect(list[0] is NSNull && list[1] as? String == "there")
        #expect((arrived["inside"] as? [String: [Any]])?["deep"]?.first is NSNull)
        #expect((arrived["set"] as? Set<AnyHashable>)?.first?.base is NSNull)
        #expect(arrived["there"] as? String == "here")
        #expect(arrived["deeper"] as? Int == 7)
        // As in Apple's sample.
        #expect(try delivered(["t": String?.none as Any] as [AnyHashable: Any])["t"] is NSNull)
        #expect(try delivered([AnyHashable(text): 1]).keys.first?.base is NSNull)
    }

    // Shows A05.
    @Test func assigningReplacesAll() {
        let activity = laptop.activity()
        activity.userInfo = ["a": 1, "b": 2]
        activity.userInfo = ["b": 3]
        #expect(activity.userInfo?.count == 1)
        #expect(activity.userInfo?["b"] as? Int == 3)
    }

    // Shows A05.
    @Test func laterChangesOfAMutableValueDoNotCount() {
        let activity = laptop.activity()
        let text = NSMutableString("before")
        let list = NSMutableArray(array: [1])
        activity.userInfo = ["text": text, "list": list]
        text.append(" and after")
        list.add(2)
        #expect(activity.userInfo?["text"] as? String == "before")
        #expect(activity.userInfo?["list"] as? [Int] == [1])
    }

    // Shows A08.
    @Test func addedEntriesWinOverEqualKeys() {
        let activity = laptop.activity()
        activity.addUserInfoEntries(from: ["a": 1, "b": 2])
        activity.addUserInfoEntries(from: ["b": 3, "c": 4])
        #expect(activity.userInfo as? [String: Int] == ["a": 1, "b": 3, "c": 4])
    }

    private final class Opaque: NSObject {}
    private struct Plain: Hashable {}

    // Shows A07.
    @Test func otherTypesAreRefusedAndChangeNothing() throws {
        let refused: [Any] = [
            Opaque(), Plain(), 1...2, { () -> Void in }, Optional(Plain()) as Any, NSOrderedSet(),
            Locale(identifier: "de"),
            [Plain()], ["a": Opaque()], [["deep": [Plain()]]], Set([Plain()]), NSArray(array: [Opaque()]),
            NSDictionary(dictionary: ["a": [Opaque()]]),
        ]
        for value in refused {
            let activity = laptop.activity()
            activity.userInfo = ["kept": 1]
            let error = #expect(throws: NSUserActivity.InvalidValueError.self) {
                try activity.setUserInfo(["value": value])
            }
            #expect(error?.code == .typeNotAllowed)
            #expect(activity.userInfo?["kept"] as? Int == 1)
        }
        #expect(throws: NSUserActivity.InvalidValueError.self) {
            try laptop.activity().setUserInfo([AnyHashable(Plain()): 1])
        }
    }

    @Test func refusalNamesTheType() {
        let error = #expect(throws: NSUserActivity.InvalidValueError.self) {
            try laptop.activity().setUserInfo(["value": [Plain()]])
        }
        #expect(error?.description == "NSUserActivity.userInfo cannot hold an object of type Plain.")
    }

    @Test func nestingIsLimited() throws {
        func nested(_ depth: Int) -> Any { (0..<depth).reduce(1 as Any) { inner, _ in [inner] } }
        // The `userInfo` is itself a container.
        _ = try delivered(nested(Limits.valueNesting - 1))
        let error = #expect(throws: NSUserActivity.InvalidValueError.self) {
            try laptop.activity().setUserInfo(["value": nested(Limits.valueNesting)])
        }
        #expect(error?.code == .nestedTooDeep)
    }
}
