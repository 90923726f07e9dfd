// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire
import Testing

@testable import HandoffDaemon

/// Shows M08: which phones are listed, and which one a name means.
@Suite struct PhoneBookTests {
    private let bus = ClientID(1)
    private let other = ClientID(2)

    private static func phone(_ id: String, _ name: String, _ link: PhoneLink = .kdeConnect) throws -> Phone {
        Phone(id: try PhoneID(id), name: DisplayText(cleaning: name), kind: .phone, link: link)
    }

    private func failure(_ text: String, in book: PhoneBook) -> Failure? {
        do throws(Failure) {
            _ = try book.choose(text)
            return nil
        } catch { return error }
    }

    @Test func aPhoneIsKnownByNameSuffixedNameAndWholeID() throws {
        var book = PhoneBook()
        book.reported([try Self.phone("abc", "Pixel")], by: bus)
        for text in ["Pixel", "pixel", "PIXEL (PHONE)", "abc"] {
            #expect(try book.choose(text)?.phone.id.text == "abc")
        }
        for text in ["", "ab", "ABC", "Pix", "(phone)"] { #expect(try book.choose(text) == nil) }
    }

    @Test func aPhoneOfTwoProgramsIsListedOnceWithTheFirstLink() throws {
        var book = PhoneBook()
        book.reported([try Self.phone("abc", "Pixel", .gsConnect)], by: other)
        book.reported([try Self.phone("abc", "Pixel")], by: bus)
        #expect(book.phones == [try Self.phone("abc", "Pixel")])
        #expect(try book.choose("Pixel")?.client == bus)
        book.clientClosed(bus)
        #expect(book.phones.map(\.link) == [.gsConnect])
        #expect(try book.choose("Pixel")?.client == other)
    }

    @Test func aReportReplacesTheEarlierReportAndEndsWithItsClient() throws {
        var book = PhoneBook()
        book.reported([try Self.phone("a", "Pixel"), try Self.phone("b", "Tablet")], by: bus)
        book.reported([try Self.phone("b", "Tablet")], by: bus)
        #expect(book.phones.map(\.id.text) == ["b"])
        book.clientClosed(bus)
        #expect(book.phones.isEmpty)
    }

    @Test func ambiguousNameNeedsAnID() throws {
        var book = PhoneBook()
        book.reported([try Self.phone("a", "Pixel"), try Self.phone("b", "pixel")], by: bus)
        #expect(failure("Pixel", in: book)?.code == .severalDevices)
        #expect(try book.choose("b")?.phone.name.text == "pixel")
    }

    @Test func aPhoneThatLeftIsNamedInTheError() throws {
        var book = PhoneBook()
        book.reported([try Self.phone("a", "Pixel")], by: bus)
        book.reported([], by: bus)
        #expect(failure("pixel", in: book)?.code == .deviceLost)
        #expect(failure("Pixel", in: book)?.reason == "KDE Connect cannot reach Pixel now")
        book.reported([try Self.phone("a", "Pixel")], by: bus)
        #expect(try book.choose("Pixel") != nil)
    }

    @Test func thousandsOfPhonesLeaveAFew() throws {
        var book = PhoneBook()
        for round in 0..<20 {
            book.reported(try (0..<200).map { try Self.phone("p\(round)_\($0)", "Phone \($0)") }, by: bus)
            #expect(book.phones.count == Limits.phones)
        }
        book.clientClosed(bus)
        #expect(book.phones.isEmpty)
        // Only the last ones are remembered.
        #expect(failure("p19_0", in: book)?.code == .deviceLost)
        #expect(try book.choose("p0_0") == nil)
    }
}
