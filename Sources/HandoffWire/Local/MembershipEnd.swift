// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

package enum MembershipEnd: Hashable, Sendable {
    case removed(by: DisplayText)
    /// It removed itself.
    case left
    /// The account continues without it, as after a recovery.
    case dropped
}

extension MembershipEnd {
    var wire: PBMembershipEnd {
        .with {
            switch self {
            case .removed(let by):
                $0.cause = .removed
                $0.by = by.text
            case .left: $0.cause = .left
            case .dropped: $0.cause = .dropped
            }
        }
    }

    /// A future cause is treated as `dropped`.
    init(_ message: PBMembershipEnd) {
        switch message.cause {
        case .removed: self = .removed(by: .name(message.by))
        case .left: self = .left
        case .dropped, .UNRECOGNIZED: self = .dropped
        }
    }
}
