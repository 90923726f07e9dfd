// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
package import HandoffWire

package struct Joining {
    package enum Standing: Hashable, Sendable {
        /// The last attempt's failure; nil at first.
        case typing(Failure?)
        /// The daemon looks for the inviter, or uses the key.
        case looking
        /// `with`: the device whose number the user confirms here too; nil: only on the other device.
        case comparing(String, with: DisplayText?)
        case joined(AccountSummary)
    }

    package private(set) var standing = Standing.typing(nil)
    /// Devices on this network that show an invite.
    package private(set) var nearby: [NearbyInvite] = []
    private var chosen: NearbyInvite?

    init(nearby: [NearbyInvite] = []) { self.nearby = nearby }

    mutating func listed(_ nearby: [NearbyInvite]) { self.nearby = nearby }

    mutating func chose(_ invite: NearbyInvite) -> LocalMessage? {
        guard case .typing = standing else { return nil }
        chosen = invite
        standing = .looking
        return .identity(.joinAccount(code: invite.code, address: invite.address, nearby: true))
    }

    mutating func confirmed(matches: Bool) -> LocalMessage? {
        guard case .comparing(let number, .some) = standing else { return nil }
        standing = matches ? .comparing(number, with: nil) : .looking
        return .identity(.confirmJoin(matches: matches))
    }

    mutating func typed(code: String, address: String) -> LocalMessage? {
        let code = code.filter { !$0.isWhitespace }
        let address = address.filter { !$0.isWhitespace }
        guard case .typing = standing, !code.isEmpty else { return nil }
        guard address.isEmpty || NetworkAddress(address) != nil else {
            standing = .typing(Failure(.inviterNotFound, "an address is HOST:PORT, or [ADDRESS]:PORT for IPv6"))
            return nil
        }
        chosen = nil
        standing = .looking
        return .identity(.joinAccount(code: code, address: address.isEmpty ? nil : address))
    }

    mutating func typed(recoveryKey: String) -> LocalMessage? {
        let key = recoveryKey.filter { !$0.isWhitespace }
        guard case .typing = standing, !key.isEmpty else { return nil }
        standing = .looking
        return .identity(.recoverAccount(RecoverAccount(key: key)))
    }

    mutating func heard(_ answer: Result<LocalMessage, Failure>) {
        switch answer {
        case .success(.identity(.joinNumber(let number))): standing = .comparing(number, with: chosen?.name)
        case .success(.identity(.account(let account))): standing = .joined(account)
        case .success: break
        case .failure(let failure):
            // The connection's end is expected after success.
            if case .joined = standing { return }
            standing = .typing(failure)
        }
    }
}
