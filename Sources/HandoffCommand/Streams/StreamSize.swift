// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// Lets the receiver show progress and detect missing bytes. It is in the activity's user info.
enum StreamSize {
    static let key = "streamBytes"

    /// `entries` is a dictionary.
    static func add(_ byteCount: Int64, to entries: Value) -> Value {
        guard case .dictionary(var members) = entries else { return entries }
        members[.string(key)] = .signed(byteCount)
        return .dictionary(members)
    }

    static func isSaid(in entries: Value) -> Bool {
        guard case .dictionary(let members) = entries else { return false }
        return members[.string(key)] != nil
    }

    /// Nil if it is missing or invalid.
    static func said(in state: ActivityState) -> Int64? {
        guard !state.userInfo.isEmpty, case .dictionary(let members)? = try? Value(encoded: state.userInfo) else {
            return nil
        }
        switch members[.string(key)] {
        case .signed(let byteCount)? where byteCount >= 0: return byteCount
        case .unsigned(let byteCount)?: return Int64(exactly: byteCount)
        default: return nil
        }
    }
}
