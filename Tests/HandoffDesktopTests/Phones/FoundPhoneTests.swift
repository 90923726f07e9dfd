// SPDX-License-Identifier: Apache-2.0

import HandoffBus
import HandoffWire
import Testing

@testable import HandoffDesktop

/// Shows M08: phones from the properties that other programs report, with hostile values, and the URIs for them.
@Suite struct FoundPhoneTests {
    private let kdeConnect: [String: BusValue] = [
        "name": .string("Pixel"), "type": .string("phone"), "isReachable": .boolean(true), "isTrusted": .boolean(true),
    ]
    private let gsConnect: [String: BusValue] = [
        "Id": .string("a-1"), "Name": .string("Pixel"), "Type": .string("tablet"), "Connected": .boolean(true),
        "Paired": .boolean(true),
    ]

    @Test func pairedAndReachablePhonesAreFound() {
        let phone = Phone(kdeConnect: "_a_", kdeConnect)
        #expect(phone?.id.text == "_a_" && phone?.name.text == "Pixel" && phone?.kind == .phone)
        var newer = kdeConnect
        newer["isTrusted"] = nil
        #expect(Phone(kdeConnect: "_a_", newer) == nil)
        newer["isPaired"] = .boolean(true)
        #expect(Phone(kdeConnect: "_a_", newer)?.link == .kdeConnect)
        let other = Phone(gsConnect: gsConnect)
        #expect(other?.id.text == "a-1" && other?.kind == .tablet && other?.link == .gsConnect)
    }

    @Test(
        arguments: ["isReachable", "isTrusted", "name"], [nil, .boolean(false), .int32(1), .string("")] as [BusValue?])
    func othersAreNot(property: String, value: BusValue?) {
        var properties = kdeConnect
        properties[property] = value
        #expect(Phone(kdeConnect: "_a_", properties) == nil)
    }

    @Test(arguments: ["Id", "Name", "Connected", "Paired"], [nil, .boolean(false), .string("")] as [BusValue?])
    func othersOfGSConnectAreNot(property: String, value: BusValue?) {
        var properties = gsConnect
        properties[property] = value
        #expect(Phone(gsConnect: properties) == nil)
    }

    @Test(arguments: ["", "a/b", "..", "a b", String(repeating: "a", count: 65), "\u{0}"])
    func invalidIDIsNotFound(id: String) { #expect(Phone(kdeConnect: id, kdeConnect) == nil) }

    @Test func nameOfControlCharactersOrFourKilobytesIsCleaned() {
        var properties = kdeConnect
        properties["name"] = .string("\u{1B}[31mPix\nel\u{202E}" + String(repeating: "y", count: 4096))
        let name = Phone(kdeConnect: "a", properties)?.name.text ?? ""
        #expect(name.hasPrefix("[31mPix elyyy"))
        #expect(name.count == Limits.nameCharacters)
        properties["name"] = .string("\u{200B}\n\u{1}")
        #expect(Phone(kdeConnect: "a", properties) == nil)
    }

    @Test(
        arguments: [
            ("phone", .phone), ("smartphone", .phone), ("tablet", .tablet), ("desktop", .desktop), ("laptop", .laptop),
            ("tv", .unspecified), ("", .unspecified), (String(repeating: "x", count: 4096), .unspecified),
        ] as [(String, DeviceKind)])
    func unknownTypeHasNoKind(type: String, kind: DeviceKind) { #expect(DeviceKind(phoneType: type) == kind) }

    @Test func pathIsEscaped() throws {
        func uri(_ path: String) throws -> String? { PhoneItem.file(try AbsolutePath(path)).uri }
        #expect(try uri("/home/ann/a b#c?d%20.txt") == "file:///home/ann/a%20b%23c%3Fd%2520.txt")
        #expect(try uri("/home/ä\n\u{1}") == "file:///home/%C3%A4%0A%01")
        #expect(PhoneItem.file(try AbsolutePath(bytes: [0x2F, 0xFF])).uri == nil)
        let page = try #require(PageAddress("https://example.com/a?b=c%20d#e"))
        #expect(PhoneItem.page(page).uri == "https://example.com/a?b=c%20d#e")
    }
}
