// SPDX-License-Identifier: Apache-2.0

internal import Handoff
internal import HandoffApp
internal import HandoffWire

extension FuzzedParser {
    /// What an app makes of a state that comes from another device, or from its own disk.
    static let apps = [activityState, scene]

    private static let activityState = FuzzedParser("activity-state") { bytes in
        let verdict = try roundTrip(bytes, parse: { try ActivityState(encoded: $0) }, write: { try $0.encoded() })
        guard verdict == .taken, let state = try? ActivityState(encoded: bytes),
            let activity = try? NSUserActivity(savedState: state, center: center)
        else { return .refused }
        // The app looks at it, and keeps it.
        _ = activity.userInfo
        _ = activity.debugDescription
        _ = activity.contentAttributeSet?.authors
        _ = activity.contentAttributeSet?.importantDates
        guard let kept = try? activity.savedState(), let written = try? kept.encoded() else {
            throw BrokenPromise("what an activity was made of cannot be kept: \(state)")
        }
        guard let read = try? ActivityState(encoded: written) else {
            throw BrokenPromise("what was kept of an activity cannot be read: \(kept)")
        }
        try promise(
            isSame(read, kept, anew: try ActivityState(encoded: written)), "\(kept) came back as \(read)")
        let again = try? NSUserActivity(savedState: read, center: center).savedState()
        try promise(
            again.map { isSame(read, $0, anew: try ActivityState(encoded: written)) } ?? false,
            "\(kept) became \(String(describing: again))")
        return .taken
    }

    /// The plaintext of a file, as if it were written with the app's key.
    private static let scene = FuzzedParser("scene") { bytes in
        let seal = SceneSeal(key: [UInt8](repeating: 7, count: SceneSeal.keyBytes), owner: "com.example.notes")
        try promise((try? seal.open(bytes, of: "1")) == nil, "noise opened")
        let file = try seal.seal(bytes, of: "1")
        try promise((try? seal.open(file, of: "2")) == nil, "a scene passed for another")
        return try roundTrip(
            bytes, parse: { try seal.open(try seal.seal($0, of: "1"), of: "1") }, write: { try $0.encoded() })
    }

    /// Never says a word to a daemon: nothing becomes current.
    private static let center = ActivityCenter(.init(locations: Locations(root: "/nowhere"), name: "fuzz") { _ in })
}
