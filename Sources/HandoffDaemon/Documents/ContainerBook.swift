// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// Owner and folder of each container.
///
/// The team of the first app that uses a container owns it, because any developer can write the same identifier into an
/// into an entitlement.
struct ContainerBook: Hashable, Sendable {
    static let most = 1024

    /// Unmapped containers have folders here, each with its container's name.
    let home: AbsolutePath
    private(set) var entries: [ContainerEntry]

    init(home: AbsolutePath, entries: [ContainerEntry] = []) {
        self.home = home
        self.entries = entries.sorted { $0.container < $1.container }
    }

    func entry(of container: ContainerID) -> ContainerEntry? { entries.first { $0.container == container } }

    func path(of container: ContainerID) -> AbsolutePath {
        if let mapped = entry(of: container)?.mapped { return mapped }
        // A container's identifier is a valid folder name, and short enough.
        return (try? DocumentPath(container.name)).flatMap { try? home.appending($0) } ?? home
    }

    /// True if new. Throws if it belongs to another team.
    mutating func use(_ container: ContainerID, by team: Team) throws(Failure) -> Bool {
        if let entry = entry(of: container) {
            guard entry.team == team else {
                throw Failure(
                    .notAllowed,
                    "the container \(container) belongs to \(entry.team.words) on this device, not to \(team.words); "
                        + "once no app of the first is installed, run: handoff folder unmap \(container)")
            }
            return false
        }
        guard entries.count < Self.most else {
            throw Failure(.limitReached, "a device has at most \(Self.most) containers")
        }
        insert(ContainerEntry(container: container, team: team))
        return true
    }

    /// Throws if the folder is unsuitable or overlaps a folder in `apart`. The other paths' links are already resolved.
    mutating func map(
        _ container: ContainerID, to path: AbsolutePath, facts: FolderFacts, apart: [AbsolutePath]
    ) throws(Failure) {
        guard var entry = entry(of: container) else { throw .noContainer(container) }
        let real = try facts.checked(path)
        for other in apart where other.overlaps(real) {
            throw Failure(
                .notAllowed, "\(path) \(real.relation(to: other)) \(other), where Handoff keeps other things")
        }
        guard !home.overlaps(real) else {
            throw Failure(
                .notAllowed, "\(path) \(real.relation(to: home)) the folder of containers that are not mapped")
        }
        for other in entries where other.container != container {
            guard let place = other.mapped, place.overlaps(real) else { continue }
            throw Failure(
                .notAllowed,
                "\(path) \(real.relation(to: place)) \(place), the folder of the container \(other.container)")
        }
        entry.mapped = real
        insert(entry)
    }

    /// `isInUse` false: the container becomes unowned. Throws if nothing changes.
    mutating func unmap(_ container: ContainerID, isInUse: Bool) throws(Failure) {
        guard var entry = entry(of: container) else { throw .noContainer(container) }
        guard isInUse else {
            entries.removeAll { $0.container == container }
            return
        }
        guard entry.mapped != nil else {
            throw Failure(
                .notAllowed, "the container \(container) is not mapped, and an app of \(entry.team.words) uses it")
        }
        entry.mapped = nil
        insert(entry)
    }

    private mutating func insert(_ entry: ContainerEntry) {
        entries.removeAll { $0.container == entry.container }
        let index = entries.firstIndex { entry.container < $0.container } ?? entries.endIndex
        entries.insert(entry, at: index)
    }
}

extension FolderFacts {
    fileprivate func checked(_ path: AbsolutePath) throws(Failure) -> AbsolutePath {
        guard let realPath else {
            throw Failure(.documentGone, "the folder \(path) does not exist; create it first: mkdir -p '\(path)'")
        }
        guard isFolder else { throw Failure(.notAllowed, "\(path) is not a folder") }
        // Precedes the owner's check, because this message is more specific.
        guard realPath.bytes != Array("/".utf8) else {
            throw Failure(.notAllowed, "the whole system cannot be a container's folder; choose a folder of your own")
        }
        if let home, home.isInOrAt(realPath) {
            throw Failure(
                .notAllowed, "your whole home folder cannot be a container's folder; choose a folder in it")
        }
        guard isOwn else { throw Failure(.notAllowed, "\(path) belongs to another user") }
        return realPath
    }
}

extension AbsolutePath {
    fileprivate func isInOrAt(_ folder: AbsolutePath) -> Bool {
        var prefix = folder.bytes
        if prefix.last == UInt8(ascii: "/") { prefix.removeLast() }
        return bytes.starts(with: prefix) && (bytes.count == prefix.count || bytes[prefix.count] == UInt8(ascii: "/"))
    }

    fileprivate func overlaps(_ other: AbsolutePath) -> Bool { isInOrAt(other) || other.isInOrAt(self) }

    fileprivate func relation(to other: AbsolutePath) -> String {
        self == other ? "is" : isInOrAt(other) ? "is in" : "holds"
    }
}

extension Team {
    var words: String {
        switch self {
        case .personal: "your personal team"
        case .system: "system programs"
        // Any developer can choose the same Team ID.
        case .developer(let team): "team \(team) (key \(team.key.grouped.prefix(9)))"
        }
    }
}

extension Failure {
    fileprivate static func noContainer(_ container: ContainerID) -> Failure {
        Failure(
            .noApp, "no installed app uses a container \(container); its entitlements name the containers of an app")
    }
}
