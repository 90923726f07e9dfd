// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Who a client is, as far as the daemon can tell. What it says of itself decides nothing: its launch token or its
/// executable does.
package enum ClientIdentity: Hashable, Sendable {
    case control
    /// A web browser, which any process of this user may call itself.
    case browser
    /// A process of this installed app.
    case app(BundleID)
    /// A program under development: it publishes under the personal team, and nothing is continued in it.
    case unregistered
    case refused(Failure)

    /// `redeemed`: the app that the hello's launch token was given to. `owner`: the app whose executable it is.
    /// `isInstalled`: there is an app by that identifier.
    package static func of(
        _ hello: LocalHello, redeemed: BundleID?, owner: ProgramOwner, isInstalled: (BundleID) -> Bool
    ) -> ClientIdentity {
        switch hello.role {
        case .unspecified: return .refused(Failure(.malformed, "the hello names no role that this version knows"))
        case .control: return .control
        case .browser: return .browser
        case .app: break
        }
        // A token that counts no more is no offence: programs inherit the environment of those that start them.
        if redeemed == nil, case .altered(let bundle) = owner {
            let reason = "the executable of \(bundle) has changed since it was installed; install it again"
            return .refused(Failure(.notAllowed, reason))
        }
        if let bundle = redeemed ?? owner.bundle {
            guard hello.bundle == nil || hello.bundle == bundle else {
                let reason = "this program belongs to \(bundle), not to the app it claims to be"
                return .refused(Failure(.notAllowed, reason))
            }
            return .app(bundle)
        }
        if let claimed = hello.bundle, isInstalled(claimed) {
            return .refused(Failure(.notAllowed, "this program is not the executable of \(claimed) as it is installed"))
        }
        return .unregistered
    }
}

extension ProgramOwner {
    fileprivate var bundle: BundleID? {
        switch self {
        case .app(let bundle): bundle
        case .nobody, .altered: nil
        }
    }
}
