// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Testing

@testable import HandoffCore

@Suite struct VersionExpiryTests {
    private let noon = WallTime(milliseconds: 1_800_000_000_000)
    private let day: Duration = .seconds(24 * 3600)

    private func version(_ number: UInt8, _ size: UInt64, age: Duration) throws -> KeptVersion {
        KeptVersion(
            id: VersionID(uncheckedBytes: [UInt8](repeating: number, count: 16)), path: try AbsolutePath("/a/letter"),
            file: try AbsolutePath("/v/\(number)/letter"), size: size, modified: FileTime(nanoseconds: 0),
            kept: noon.advanced(by: .zero - age), deviceName: DisplayText(cleaning: "laptop"))
    }

    @Test func limitsAreThoseOfTheDocuments() {
        #expect(DocumentLimits().keepVersions == .seconds(7 * 24 * 3600))
        #expect(DocumentLimits().versionBytes == 1 << 30)
    }

    @Test func aVersionGoesAfterAWeek() throws {
        let young = try version(1, 10, age: day * 7)
        let old = try version(2, 10, age: day * 7 + .milliseconds(1))
        #expect([old, young].expired(at: noon) == [old])
    }

    @Test func theOldestGoWhereAllAreTooMuch() throws {
        let gigabyte = DocumentLimits().versionBytes
        let versions = try [
            version(1, gigabyte / 2, age: day), version(2, gigabyte / 2, age: day * 2), version(3, 1, age: day * 3),
            version(4, 1, age: day * 4),
        ]
        #expect(versions.shuffled().expired(at: noon) == [versions[2], versions[3]])
        #expect(versions[..<2].shuffled().expired(at: noon) == [])
    }

    @Test func theNewestStaysHoweverLarge() throws {
        let large = try version(1, .max, age: .zero)
        let small = try version(2, .max, age: day)
        #expect([large, small].expired(at: noon) == [small])
    }

    /// The clock was set back.
    @Test func aVersionOfTomorrowIsYoung() throws {
        #expect([try version(1, 10, age: .zero - day)].expired(at: noon) == [])
    }
}
