// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Testing

@testable import HandoffTrust

/// Shows T07.
@Suite struct InstallRecordTests {
    private func record(_ bundle: String = "com.example.notes", manifest: UInt8 = 1, isSigned: Bool = true) throws
        -> InstallRecord
    {
        InstallRecord(
            bundle: try BundleID(bundle), signer: isSigned ? .team(Teams.notes.team) : .development,
            manifest: digest(manifest), info: digest(2), executable: digest(3), installed: Teams.now)
    }

    private func digest(_ byte: UInt8) -> FileDigest { FileDigest(of: [byte]) }

    @Test func recordIsValidForItsManifestOnly() throws {
        var records = InstallRecords()
        records.add(try record())
        #expect(records.record(of: try BundleID("com.example.notes"), manifest: digest(1)) == (try record()))
        #expect(records.record(of: try BundleID("com.example.notes"), manifest: digest(9)) == nil)
        #expect(records.record(of: try BundleID("com.example.other"), manifest: digest(1)) == nil)
    }

    @Test func oldAndNewStandSideBySideUntilTheOldGoes() throws {
        var records = InstallRecords()
        records.add(try record(manifest: 1))
        records.add(try record(manifest: 2))
        records.add(try record("com.example.other"))
        #expect(records.records.count == 3)
        records.remove(try BundleID("com.example.notes"), except: digest(2))
        #expect(records.records == [try record(manifest: 2), try record("com.example.other")])
        records.remove(try BundleID("com.example.notes"))
        #expect(records.records == [try record("com.example.other")])
    }

    @Test func installingTheSameAgainIsOneRecord() throws {
        var records = InstallRecords()
        records.add(try record())
        records.add(try record(isSigned: false))
        #expect(records.records == [try record(isSigned: false)])
    }

    @Test func recordsRoundTrip() throws {
        var records = InstallRecords()
        #expect(try InstallRecords(bytes: records.encoded) == records)
        records.add(try record())
        records.add(try record("com.example.draft", isSigned: false))
        #expect(try InstallRecords(bytes: records.encoded) == records)
    }

    @Test func everyDamageIsNoticed() throws {
        var records = InstallRecords()
        records.add(try record())
        let whole = records.encoded
        for length in 0..<whole.count - 1 {
            #expect(throws: InstallRecords.Damage.self) { try InstallRecords(bytes: Array(whole.prefix(length))) }
        }
        for index in whole.indices.dropLast() {
            var flipped = whole
            flipped[index] ^= 1
            #expect(throws: InstallRecords.Damage.self) { try InstallRecords(bytes: flipped) }
        }
    }
}
