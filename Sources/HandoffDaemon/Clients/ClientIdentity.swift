// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// Verified, as far as possible, by launch token, executable, or the name that the client owns on the user's bus. A bus
/// name identifies only an app with a desktop entry, because any program may own it.
enum ClientIdentity: Hashable, Sendable {
    case control
    /// Unverified.
    case browser
    case busProgram
    case app(BundleID)
    /// Under development: publishes under the personal team and receives nothing.
    case unregistered
    case refused(Failure)

    /// `redeemed`: the app that got the launch token. `owner`: the executable's app. `installed`: nil for an app that
    /// is not installed.
    static func of(
        _ hello: LocalHello, redeemed: BundleID?, owner: ProgramOwner, installed: (BundleID) -> InstalledApp?
    ) -> ClientIdentity {
        guard hello.caller == nil || hello.role == .app else {
            return .refused(Failure(.notAllowed, "a program on the user's bus takes part as an app or as a script"))
        }
        switch hello.role {
        case .unspecified:
            return .refused(Failure(.malformed, "the hello names a role that this version does not know"))
        case .control: return .control
        case .browser: return .browser
        case .busProgram: return .busProgram
        case .app: break
        }
        if let sandbox = hello.caller?.sandbox { return hello.confined(to: sandbox, installed) }
        // An invalid token is harmless: programs inherit their parent's environment.
        if redeemed == nil, case .altered(let bundle) = owner {
            let reason = "the executable of \(bundle) has changed since it was installed; install it again"
            return .refused(Failure(.notAllowed, reason))
        }
        let proven = redeemed ?? owner.bundle
        let named = hello.namedApps(installed)
        func signer(_ bundle: BundleID) -> AppSigner? { installed(bundle)?.signer }
        guard let claimed = hello.bundle else {
            if let proven { return .app(proven) }
            guard named.count <= 1 else {
                let reason =
                    "this program owns the names of several apps on the bus and does not declare which app it is"
                return .refused(Failure(.notAllowed, reason))
            }
            return named.first.map { .app($0) } ?? .unregistered
        }
        if claimed == proven || named.contains(claimed) { return .app(claimed) }
        if let proven {
            let reason = "this program belongs to \(proven), not to the app it claims to be"
            return .refused(Failure(.notAllowed, reason))
        }
        if claimed.isSystemProgram { return hello.adapter(of: claimed, signer) }
        return signer(claimed).map { .refused($0.refusal(of: claimed)) } ?? .unregistered
    }
}

extension LocalHello {
    /// The package alone decides: a token is inherited, and a package may own other names on the bus.
    fileprivate func confined(to sandbox: Sandbox, _ installed: (BundleID) -> InstalledApp?) -> ClientIdentity {
        let own: BundleID? =
            switch sandbox {
            case .flatpak(let id): id
            // An instance may have several apps, so the program chooses.
            case .snap: bundle
            }
        guard bundle == nil || bundle == own, bundle?.isSystemProgram != true else {
            let reason = "this program runs in \(sandbox), not in the app it claims to be"
            return .refused(Failure(.notAllowed, reason))
        }
        guard let own, let app = installed(own) else { return .unregistered }
        if app.sandbox == sandbox { return .app(own) }
        guard bundle != nil else { return .unregistered }
        let reason = """
            this program runs in \(sandbox), but the desktop entry of \(own) that takes effect is not the one that this \
            package has exported
            """
        return .refused(Failure(.notAllowed, reason))
    }

    /// Any program of the user may offer for a switched-on system program. It receives nothing.
    fileprivate func adapter(of program: BundleID, _ signer: (BundleID) -> AppSigner?) -> ClientIdentity {
        guard signer(program) == .system else {
            let entry = program.desktopEntry ?? ""
            let reason = """
                the system has no program \(entry) that Handoff knows: only a desktop entry counts that root alone can change
                """
            return .refused(Failure(.notAllowed, reason))
        }
        guard caller != nil else { return .refused(AppSigner.system.refusal(of: program)) }
        return .app(program)
    }

    fileprivate func namedApps(_ installed: (BundleID) -> InstalledApp?) -> [BundleID] {
        (caller?.names ?? []).compactMap { try? BundleID($0) }.filter {
            guard let app = installed($0) else { return false }
            return app.signer == .entry && app.sandbox == nil
        }
    }
}

extension AppSigner {
    fileprivate func refusal(of bundle: BundleID) -> Failure {
        let reason =
            switch self {
            case .team, .development: "this program is not the executable of \(bundle) as it is installed"
            case .entry:
                """
                this program cannot prove that it is \(bundle): handoffd did not start it, it does not own that name on the \
                user's bus, and it is not the only program that the app's desktop entry starts
                """
            case .system: "only an adapter on the user's bus can offer the activities of \(bundle)"
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
