// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Who a client is, as far as the daemon can tell. What it says of itself decides nothing: its launch token does, its
/// executable, or on the user's bus a name that it owns there. A name stands for an app of a desktop entry alone: anyone may
/// own it, and what a team or the user installed as a bundle is known by its executable.
package enum ClientIdentity: Hashable, Sendable {
    case control
    /// A web browser, which any process of this user may call itself.
    case browser
    /// handoff-bus, on behalf of programs on the user's bus.
    case busProgram
    /// A process of this installed app.
    case app(BundleID)
    /// A program under development: it publishes under the personal team, and nothing is continued in it.
    case unregistered
    case refused(Failure)

    /// `redeemed`: the app that the hello's launch token was given to. `owner`: the app whose executable it is. `signer`: of
    /// the app of that identifier; nil: there is none.
    package static func of(
        _ hello: LocalHello, redeemed: BundleID?, owner: ProgramOwner, signer: (BundleID) -> AppSigner?
    ) -> ClientIdentity {
        guard hello.caller == nil || hello.role == .app else {
            return .refused(Failure(.notAllowed, "a program on the user's bus takes part as an app or as a script"))
        }
        switch hello.role {
        case .unspecified: return .refused(Failure(.malformed, "the hello names no role that this version knows"))
        case .control: return .control
        case .browser: return .browser
        case .busProgram: return .busProgram
        case .app: break
        }
        // A token that counts no more is no offence: programs inherit the environment of those that start them.
        if redeemed == nil, case .altered(let bundle) = owner {
            let reason = "the executable of \(bundle) has changed since it was installed; install it again"
            return .refused(Failure(.notAllowed, reason))
        }
        let proven = redeemed ?? owner.bundle
        let named = hello.namedApps(signer)
        guard let claimed = hello.bundle else {
            if let proven { return .app(proven) }
            guard named.count <= 1 else {
                let reason = "this program owns the names of several apps on the bus, and does not say which it is"
                return .refused(Failure(.notAllowed, reason))
            }
            return named.first.map { .app($0) } ?? .unregistered
        }
        if claimed == proven || named.contains(claimed) { return .app(claimed) }
        if let proven {
            let reason = "this program belongs to \(proven), not to the app it claims to be"
            return .refused(Failure(.notAllowed, reason))
        }
        return signer(claimed).map { .refused($0.refusal(of: claimed)) } ?? .unregistered
    }
}

extension LocalHello {
    /// The apps that this program is by a name that it owns on the bus.
    fileprivate func namedApps(_ signer: (BundleID) -> AppSigner?) -> [BundleID] {
        (caller?.names ?? []).compactMap { try? BundleID($0) }.filter { signer($0) == .entry }
    }
}

extension AppSigner {
    /// Of a program that nothing shows to be that app.
    fileprivate func refusal(of bundle: BundleID) -> Failure {
        let reason =
            switch self {
            case .team, .development: "this program is not the executable of \(bundle) as it is installed"
            case .entry:
                """
                nothing shows that this program is \(bundle): handoffd did not start it, it does not own that name on the \
                user's bus, and it is not the program that the app's desktop entry alone starts
                """
            }
        return Failure(.notAllowed, reason)
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
