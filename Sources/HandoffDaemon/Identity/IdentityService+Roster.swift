// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffTrust
package import HandoffWire
internal import Logging

extension IdentityService: RosterKeeping {
    package var rosterUpdate: RosterUpdate { book.record?.update ?? RosterUpdate() }
    package var rosterDigest: [UInt8] { book.record?.digest ?? [] }

    package func takeRosterNews() -> RosterUpdate {
        let news = book.record?.update(since: toldExtent) ?? RosterUpdate()
        toldExtent = book.record?.extent ?? AccountRecord.Extent()
        return news
    }

    package func unknown(of update: RosterUpdate) -> RosterUpdate {
        book.record?.unknown(of: update) ?? RosterUpdate()
    }

    package func merge(_ update: RosterUpdate) throws -> Bool {
        guard var record = book.record else { return false }
        let result = record.merge(update, on: book.device, at: time.wallTime)
        if !result.rejections.isEmpty {
            let verdicts = Set(result.rejections.map(\.rawValue)).sorted().joined(separator: " ")
            log.notice(
                "Roster statements rejected",
                metadata: ["count": "\(result.rejections.count)", "verdicts": "\(verdicts)"])
        }
        guard result.changed else { return false }
        try book.write(record)
        log.info("Roster changed", metadata: ["devices": "\(book.members.count)"])
        changed()
        return true
    }

    package func hasCaughtUp(_ device: DeviceID) {
        guard var record = book.record, record.hasCaughtUp(device) else { return }
        // If this is not stored, beacons with a former key are only accepted a little longer.
        try? book.write(record)
    }

    package func isFormerMember(_ device: DeviceID) -> Bool { book.record?.roster.isFormerMember(device) ?? false }

    package var removalNotice: RosterUpdate { RosterUpdate(statements: book.stored?.roster.removalNotice ?? []) }

    package func recoveries(in update: RosterUpdate) -> RosterUpdate {
        RosterUpdate(statements: book.record?.roster.recoveries(in: update.statements) ?? [])
    }

    package func copyFound(of device: DeviceID, reportedBy member: DeviceID?) {
        copyNoticed(of: device, by: member.map { name(of: $0) })
    }
}
