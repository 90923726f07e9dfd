// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTrust
package import HandoffWire
import Logging

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
        // If not stored, beacons with a former key are accepted a little longer.
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

struct CopySighting {
    var last: Instant
    var address: NetworkAddress?
    var reporter: DisplayText?
}

/// A stopped copy no longer calls, and is forgotten after a while.
extension IdentityService {
    package var duplications: [String] {
        guard account != nil else { return [] }
        let recent = copies.filter { isRecent($0.value) && (member($0.key) != nil || $0.key == device) }
        let own = recent[device].map(ownSentence)
        let others = recent.keys.filter { $0 != device }.sorted().map { copied in
            """
            Two machines have the key of \(name(of: copied)), probably because a disk was copied, and only one of them can be \
            reached. On the copy, \(Self.advice)
            """
        }
        return [own].compactMap(\.self) + others
    }

    private static let advice = "stop handoffd, remove its state folder, and join the account again."

    private func ownSentence(_ sighting: CopySighting) -> String {
        let finding =
            switch (sighting.address, sighting.reporter) {
            case (let address?, _): "The device at \(address.host) has a copy of this device's key"
            case (nil, let reporter?): "Another machine has a copy of this device's key, as \(reporter) reports"
            case (nil, nil): "Another machine has a copy of this device's key"
            }
        return "\(finding), so other devices reach only one of the two. On the copy, \(Self.advice)"
    }

    func copyNoticed(of device: DeviceID, at address: NetworkAddress? = nil, by reporter: DisplayText? = nil) {
        let known = copies[device].flatMap { isRecent($0) ? $0 : nil }
        if known == nil {
            var metadata: Logger.Metadata = ["device": "\(device.short)"]
            if let address { metadata["host"] = "\(address.host)" }
            log.warning("Two machines have the key of one device", metadata: metadata)
        }
        copies[device] = CopySighting(
            last: time.now, address: address ?? known?.address, reporter: reporter ?? known?.reporter)
    }

    private func isRecent(_ sighting: CopySighting) -> Bool {
        sighting.last.duration(to: time.now) < SessionLimits.copyIsReportedFor
    }

    func name(of device: DeviceID) -> DisplayText { member(device)?.name ?? DisplayText(cleaning: device.short) }
}
