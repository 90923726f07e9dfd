// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffTrust
import HandoffWire
import Logging

@testable import HandoffHost

/// Teams for tests, with new keys in every run.
enum SampleTeam {
    static let now = WallTime(milliseconds: 1_772_366_400_000)
    static let notes = made("Notes Makers")
    /// The same name and Team ID, but another key.
    static let impostor = made("Notes Makers")

    private static func made(_ name: String) -> TeamKey {
        do {
            return try TeamKey.create(name: DisplayText(cleaning: name), id: try TeamID("NOTES12345"), at: now)
        } catch {
            preconditionFailure("not a team: \(error)")
        }
    }
}

extension TeamKey {
    /// Returns the path of the bundle.
    func sign(_ bundle: String) throws -> String {
        _ = try BundleSigner(path: bundle).sign(with: self, at: SampleTeam.now)
        return bundle
    }
}

extension TemporaryDirectory {
    var installer: BundleInstaller { BundleInstaller(directory: path("apps"), installs: path("installs")) }
    var records: URL { URL(fileURLWithPath: path("installs/records")) }

    /// By default as a user who trusts every team.
    @discardableResult
    func install(
        _ bundle: String, force: Bool = false, approve: @escaping (BundleSignature) throws -> Void = { _ in }
    ) throws -> BundleInstaller.Installed {
        try installer.install(bundle, on: .signature(approve: approve), force: force, at: SampleTeam.now)
    }

    /// Loaded.
    func catalog(of apps: String = "apps") -> BundleCatalog {
        let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let catalog = BundleCatalog(directory: path(apps), installs: path("installs"), log: quiet)
        catalog.reload()
        return catalog
    }
}
