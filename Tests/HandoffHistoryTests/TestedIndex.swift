// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffHistory
import HandoffTesting
import HandoffWire
import Testing

enum IndexKind: CaseIterable {
    case memory
    case sqlite
}

/// At most three entries of an app and five of all.
final class TestedIndex {
    let index: any ActivityIndex
    let notes: BundleID
    let mail: BundleID
    private let folder = HistoryFolder()
    private let start = WallTime(milliseconds: 1_800_000_000_000)

    init(_ kind: IndexKind) throws {
        notes = try BundleID("com.example.notes")
        mail = try BundleID("com.example.mail")
        index =
            switch kind {
            case .memory: MemoryActivityIndex(limits: (ofApp: 3, all: 5))
            case .sqlite: try SQLiteActivityIndex(path: folder.file, limits: (ofApp: 3, all: 5))
            }
    }

    func hour(_ hours: Int64) -> WallTime { start.advanced(by: .seconds(hours * 3600)) }

    func entry(
        _ title: String, of app: BundleID? = nil, id: String? = nil, domain: String? = nil, item: String? = nil,
        text: String? = nil, expires: WallTime? = nil
    ) throws -> HistoryEntry {
        var state = ActivityState(
            type: try ActivityType("com.example.reading"), title: title, persistentIdentifier: id,
            isEligibleForSearch: true)
        state.expirationDate = expires.map { Double($0.milliseconds) / 1000 - WallTime.referenceDate }
        var attributes = ContentAttributes()
        attributes.entries["domainIdentifier"] = domain.map { .string(ExactText($0)) }
        attributes.entries["relatedUniqueIdentifier"] = item.map { .string(ExactText($0)) }
        attributes.entries["textContent"] = text.map { .string(ExactText($0)) }
        state.contentAttributes = attributes.encoded()
        return try #require(try HistoryEntry(of: state, by: app ?? notes))
    }

    func item(
        _ title: String, id: String, of app: BundleID? = nil, domain: String? = nil, expires: WallTime? = nil
    ) throws -> HistoryEntry {
        var attributes = ContentAttributes()
        attributes.entries["title"] = .string(ExactText(title))
        let item = IndexedItem(
            ExactText(id), domainIdentifier: domain.map { ExactText($0) }, attributes: attributes.encoded(),
            expires: expires)
        return try #require(try HistoryEntry(of: item, by: app ?? notes))
    }

    func put(_ items: HistoryEntry..., isUpdate: Bool = false, at now: WallTime? = nil) throws {
        for item in items {
            try index.change([.put(item, isUpdate: isUpdate)], by: item.app, state: nil, at: now ?? hour(0))
        }
    }

    func transfer(
        _ title: String, at time: WallTime, of app: BundleID? = nil, id: String? = nil
    ) throws -> ActivityTransfer {
        ActivityTransfer(
            .sent, at: time, device: nil, deviceName: DisplayText(cleaning: "phone"),
            type: try ActivityType("com.example.reading"), title: DisplayText(cleaning: title), app: app ?? notes,
            appName: DisplayText(cleaning: "Notes"), persistentIdentifier: id.map { ExactText($0) })
    }

    func transferred() throws -> [String?] { try index.transfers().map { $0.title?.text } }

    func titles(_ query: String = "", at now: WallTime? = nil) throws -> [String] {
        try index.found(by: HistoryQuery(query), limit: 10, at: now ?? hour(100)).map(\.entry.title)
    }
}

/// Removed with its content.
final class HistoryFolder {
    let path: String
    var file: String { path + "/history.sqlite" }

    init() {
        path = NSTemporaryDirectory() + "history-\(UUID())"
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Whether a file of the folder contains the text.
    func contains(_ text: String) throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: path).contains { name in
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path + "/" + name))
            return bytes.range(of: Data(text.utf8)) != nil
        }
    }
}
