// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Handoff
internal import HandoffApp
internal import HandoffTesting
internal import HandoffWire

extension FuzzedParser {
    /// An app's handling of a state from another device, or from its own disk.
    static let apps = [activityState, carriedState, scene]

    private static let activityState = FuzzedParser("activity-state") { bytes in
        let verdict = try roundTrip(bytes, parse: { try ActivityState(encoded: $0) }, write: { try $0.encoded() })
        guard verdict == .taken, let state = try? ActivityState(encoded: bytes),
            let activity = try? NSUserActivity(savedState: state, center: center)
        else { return .refused }
        // The app reads the activity and stores it.
        _ = activity.userInfo
        _ = activity.debugDescription
        _ = activity.contentAttributeSet?.authors
        _ = activity.contentAttributeSet?.importantDates
        guard let kept = try? activity.savedState(), let written = try? kept.encoded() else {
            throw BrokenPromise("the state of an activity cannot be stored: \(state)")
        }
        guard let read = try? ActivityState(encoded: written) else {
            throw BrokenPromise("the stored state of an activity cannot be read: \(kept)")
        }
        try promise(
            isSame(read, kept, anew: try ActivityState(encoded: written)), "\(kept) was read back as \(read)")
        let again = try? NSUserActivity(savedState: read, center: center).savedState()
        try promise(
            again.map { isSame(read, $0, anew: try ActivityState(encoded: written)) } ?? false,
            "\(kept) became \(String(describing: again))")
        return .taken
    }

    /// A state from another device, or sent by it. The daemon and Foundation must agree that it names no file.
    private static let carriedState = FuzzedParser("carried-state") { bytes in
        let type = Array("com.example.notes.editing".utf8)
        // At the end, so that no input makes the type malformed.
        let state = bytes + RawStates.field(1, type)
        let fetched = RawStates.field(16, RawStates.field(1, state))
        let frame = [0x10, 0x01] + fetched
        let verdict = try roundTrip(frame, parse: { try PeerFrame(encoded: $0) }, write: { try $0.encoded() })
        guard verdict == .taken,
            case .continuation(.fetched(let carried, _, _, _, _))? = try? PeerFrame(encoded: frame).message
        else { return .refused }
        for urls in [[:], [0: "file:///home/anna/letter.txt"]] as [[UInt32: String]] {
            guard let delivered = try? carried.delivered(with: urls) else {
                try promise(!urls.isEmpty, "a state without documents cannot be delivered")
                continue
            }
            let documents = try urls.values.map {
                DeliveredDocument(url: $0, fate: .created, path: try FileURL($0).path)
            }
            let stray = delivered.strayFiles(besides: documents)
            try promise(stray.isEmpty, "files of another device: \(stray)")
            guard let activity = try? NSUserActivity(savedState: delivered, center: center) else { continue }
            let found = files(in: activity.userInfo as Any).subtracting(urls.values.map { URL(string: $0) })
            try promise(found.isEmpty, "Foundation sees files of another device: \(found)")
            try promise(activity.referrerURL?.isFileURL != true, "a referrer is a file")
        }
        return .taken
    }

    /// The URLs that are file URLs to Foundation.
    private static func files(in value: Any) -> Set<URL?> {
        switch value {
        case let url as URL: url.isFileURL ? [url] : []
        case let items as [Any]: items.reduce(into: []) { $0.formUnion(files(in: $1)) }
        case let entries as [AnyHashable: Any]:
            entries.reduce(into: []) { $0.formUnion(files(in: $1.key.base).union(files(in: $1.value))) }
        case let members as Set<AnyHashable>: members.reduce(into: []) { $0.formUnion(files(in: $1.base)) }
        case let other as AnyHashable where other.base is URL: files(in: other.base)
        default: []
        }
    }

    /// The plaintext of a file, sealed with the app's key.
    private static let scene = FuzzedParser("scene") { bytes in
        let seal = SceneSeal(key: [UInt8](repeating: 7, count: SceneSeal.keyBytes), owner: "com.example.notes")
        try promise((try? seal.open(bytes, of: "1")) == nil, "noise opened")
        let file = try seal.seal(bytes, of: "1")
        try promise((try? seal.open(file, of: "2")) == nil, "a scene passed for another")
        return try roundTrip(
            bytes, parse: { try seal.open(try seal.seal($0, of: "1"), of: "1") }, write: { try $0.encoded() })
    }

    /// Has no daemon, so that no activity becomes current.
    private static let center = ActivityCenter(.init(locations: Locations(root: "/nowhere"), name: "fuzz") { _ in })
}
