// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
package import HandoffWire

package struct Joining {
    package enum Standing: Hashable, Sendable {
        /// The last attempt's failure; nil at first.
        case typing(Failure?)
        /// The daemon looks for the inviter, or uses the key.
        case looking
        /// The user confirms it on the other device.
        case comparing(String)
        case joined(AccountSummary)
    }

    package private(set) var standing = Standing.typing(nil)

    init() {}

    mutating func typed(code: String, address: String) -> LocalMessage? {
        let code = code.filter { !$0.isWhitespace }
        let address = address.filter { !$0.isWhitespace }
        guard case .typing = standing, !code.isEmpty else { return nil }
        guard address.isEmpty || NetworkAddress(address) != nil else {
            standing = .typing(Failure(.inviterNotFound, "an address is HOST:PORT, or [ADDRESS]:PORT for IPv6"))
            return nil
        }
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
        case .success(.identity(.joinNumber(let number))): standing = .comparing(number)
        case .success(.identity(.account(let account))): standing = .joined(account)
        case .success: break
        case .failure(let failure):
            // The connection's end is expected after success.
            if case .joined = standing { return }
            standing = .typing(failure)
        }
    }
}
