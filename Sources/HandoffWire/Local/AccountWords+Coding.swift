// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

extension PBRecoverAccount {
    init(_ recover: RecoverAccount) {
        self.init()
        key = recover.key
        removeOthers = recover.removeOthers
        remove = recover.remove
    }
}

extension PBLogEntry {
    init(_ entry: AccountLogEntry) {
        self.init()
        switch entry.what {
        case .founded: what = .founded
        case .admitted: what = .admitted
        case .renamed(let name):
            what = .renamed
            newName = name.text
        case .removed: what = .removed
        case .recovered: what = .recovered
        }
        timeMs = entry.time.milliseconds
        device = entry.device.bytes.data
        name = entry.name.text
        by = (entry.by?.bytes ?? []).data
        byName = entry.byName?.text ?? ""
        counts = entry.counts
    }
}

extension AccountLogEntry {
    init(_ message: PBLogEntry) throws(WireError) {
        let what: What
        switch message.what {
        case .founded: what = .founded
        case .admitted: what = .admitted
        case .renamed: what = .renamed(.name(message.newName))
        case .removed: what = .removed
        case .recovered: what = .recovered
        case .unspecified, .UNRECOGNIZED: throw WireError(.unknownKind, "a log entry that this version does not know")
        }
        self.init(
            what: what, time: WallTime(milliseconds: message.timeMs), device: try DeviceID(bytes: message.device),
            name: .name(message.name), by: message.by.isEmpty ? nil : try DeviceID(bytes: message.by),
            byName: message.byName.isEmpty ? nil : .name(message.byName), counts: message.counts)
    }
}
