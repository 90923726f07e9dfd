// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTrust
package import HandoffWire
import Logging

/// Kept across restarts.
final class ContainersService: Feature {
    static let file = "containers"

    private let apps: AppsService
    private let store: any StateStore
    private let places: DocumentPlaces
    private let log: Logger
    private(set) var book: ContainerBook

    init(apps: AppsService, store: any StateStore, places: DocumentPlaces, log: Logger) {
        self.apps = apps
        self.store = store
        self.places = places
        self.log = log
        book = ContainerBook(home: places.containers)
    }

    func start() throws {
        guard let bytes = try store.read(Self.file) else { return }
        do throws(WireError) {
            book = ContainerBook(home: places.containers, entries: try [ContainerEntry](encoded: bytes))
        } catch {
            // Never guess where documents are.
            throw DamagedStateError(file: Self.file, reason: error.reason)
        }
    }

    func stop() {}

    // MARK: The user's requests

    /// Sorted.
    var containers: [ContainerID] {
        Set(book.entries.map(\.container)).union(apps.all.flatMap(\.documents.containers)).sorted()
    }

    func isMapped(_ container: ContainerID) -> Bool { book.entry(of: container)?.mapped != nil }

    private func apps(of container: ContainerID) -> [InstalledApp] {
        apps.all.filter { $0.documents.containers.contains(container) }
    }

    func summary(of container: ContainerID) -> ContainerFolder {
        let users = apps(of: container)
        let entry = book.entry(of: container)
        let team = entry?.team ?? users.lazy.compactMap { self.apps.team(of: $0) }.first
        let mine = users.filter { team != nil && apps.team(of: $0) == team }
        let others = users.filter { app in !mine.contains { $0.bundle == app.bundle } }
        var problems = others.map { "\($0.bundle) cannot use it: \(obstacle(to: $0))" }
        if mine.isEmpty, entry != nil { problems.append("no installed app of its team uses it") }
        return ContainerFolder(
            container: container, path: book.path(of: container), isMapped: isMapped(container),
            name: mine.lazy.compactMap { $0.documents.containerNames[container] }.first,
            teamName: mine.lazy.compactMap(\.signer.team).first
                ?? DisplayText(cleaning: team?.words ?? "", limit: Limits.nameCharacters),
            apps: mine.map(\.bundle).sorted(), problem: problems.isEmpty ? nil : problems.joined(separator: "; "))
    }

    private func obstacle(to app: InstalledApp) -> String {
        guard apps.isTrusted(app) else { return "its team is not trusted" }
        return apps.team(of: app) == nil ? "this device is not in an account" : "it belongs to another team"
    }

    func map(_ container: ContainerID, to path: AbsolutePath, facts: FolderFacts) throws(Failure) {
        var changed = book
        if changed.entry(of: container) == nil, let team = try claimant(of: container) {
            _ = try changed.use(container, by: team)
        }
        try changed.map(container, to: path, facts: facts, apart: places.apart)
        try keep(changed)
    }

    /// With several teams, the first app that uses the container decides.
    private func claimant(of container: ContainerID) throws(Failure) -> Team? {
        let users = apps(of: container)
        let teams = Set(users.compactMap { apps.team(of: $0) })
        guard teams.count <= 1 else {
            throw Failure(
                .notAllowed,
                "apps of several teams name the container \(container), which has no owner yet; start the app that it is for"
            )
        }
        if let app = users.first, teams.isEmpty {
            throw Failure(.notAllowed, "\(app.name) cannot use the container \(container): \(obstacle(to: app))")
        }
        return teams.first
    }

    func unmap(_ container: ContainerID) throws(Failure) {
        var changed = book
        let owner = changed.entry(of: container)?.team
        try changed.unmap(container, isInUse: apps(of: container).contains { apps.team(of: $0) == owner })
        try keep(changed)
    }

    private func keep(_ changed: ContainerBook) throws(Failure) {
        guard changed != book else { return }
        let bytes: [UInt8]
        do throws(WireError) { bytes = try changed.entries.encoded() } catch {
            throw Failure(.stateNotWritable, "\(Self.file) could not be written: \(error.reason)")
        }
        // First: a reported change must survive a crash.
        try store.write(bytes, to: Self.file)
        book = changed
    }
}

package struct DocumentPlaces: Hashable, Sendable {
    package var containers: AbsolutePath
    /// No container may overlap these folders.
    package var apart: [AbsolutePath]

    package init(containers: AbsolutePath, apart: [AbsolutePath]) {
        self.containers = containers
        self.apart = apart
    }
}

extension ContainersService {
    func folder(of container: ContainerID, for bundle: BundleID) -> Result<AbsolutePath, Failure> {
        guard let app = apps.app(bundle) else { return .failure(Failure(.noApp, "\(bundle) is not installed here")) }
        guard app.documents.containers.contains(container) else {
            return .failure(
                Failure(.notAllowed, "the entitlements of \(app.name) do not name the container \(container)"))
        }
        guard let team = apps.team(of: app) else {
            return .failure(Failure(.notAllowed, "\(app.name) has no containers: \(obstacle(to: app))"))
        }
        var changed = book
        do throws(Failure) {
            if try changed.use(container, by: team) { try keep(changed) }
        } catch {
            return .failure(error)
        }
        return .success(book.path(of: container))
    }

    /// Without looking at the disk.
    func container(of path: AbsolutePath, for bundle: BundleID) -> LocatedDocument? {
        guard let app = apps.app(bundle) else { return nil }
        for container in app.documents.containers {
            let folder = book.path(of: container)
            guard let inside = path.path(in: folder), case .success = self.folder(of: container, for: bundle) else {
                continue
            }
            return LocatedDocument(container: container, folder: folder, path: inside)
        }
        return nil
    }

    /// In lower case.
    func packageExtensions(of bundle: BundleID) -> Set<String> {
        apps.app(bundle)?.documents.packageExtensions ?? []
    }

    /// Accepts documents without their content, and requests it later.
    func downloadsItself(_ bundle: BundleID) -> Bool {
        apps.app(bundle)?.documents.downloadsContents ?? false
    }

    /// In the order of the entitlements, without unreachable containers. Throws if the first is unreachable: it is the
    /// default, and the app would mistake another for it.
    func containers(of app: InstalledApp) throws(Failure) -> [AppContainer] {
        var reached: [AppContainer] = []
        for container in app.documents.containers {
            switch folder(of: container, for: app.bundle) {
            case .success(let path):
                let name = app.documents.containerNames[container]
                reached.append(AppContainer(container: container, path: path, name: name))
            case .failure(let failure):
                // The reason concerns only the user's own machine and its apps.
                log.notice("Container refused", metadata: ["bundle": "\(app.bundle)", "reason": "\(failure.reason)"])
                if container == app.documents.containers.first { throw failure }
            }
        }
        return reached
    }
}

extension AppSigner {
    fileprivate var team: DisplayText? {
        switch self {
        case .team(let team, let name): DisplayText(cleaning: "\(name) (\(team))", limit: Limits.nameCharacters)
        case .development, .entry, .system: nil
        }
    }
}

struct LocatedDocument: Hashable, Sendable {
    let container: ContainerID
    let folder: AbsolutePath
    let path: DocumentPath
}

/// `FileManager.ubiquityIdentityToken`: equal for all apps of a team in an account. It differs between teams, so that
/// they cannot correlate users.
enum AccountToken {
    private static let purpose = Array("handoff account token 1".utf8)

    static func bytes(of account: AccountID, for team: Team) -> [UInt8] {
        let teamBytes: [UInt8] =
            switch team {
            case .personal: []
            case .system: Array("system".utf8)
            case .developer(let team): Array(team.id.name.utf8) + team.key.bytes
            }
        return FileDigest(of: purpose + account.bytes + teamBytes).bytes
    }
}
