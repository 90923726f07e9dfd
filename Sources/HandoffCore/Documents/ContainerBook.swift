// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// Whose each container is on this device, and where its documents lie.
///
/// A container belongs to the team of the first app that uses it: anybody can write the same identifier into an
/// entitlement, and only apps of one team are to reach each other's documents.
package struct ContainerBook: Hashable, Sendable {
    /// Containers of one device, count.
    package static let most = 1024

    /// Where a container lies that is mapped nowhere else, each in a folder of its name.
    package let home: AbsolutePath
    /// Sorted by their containers.
    package private(set) var entries: [ContainerEntry]

    package init(home: AbsolutePath, entries: [ContainerEntry] = []) {
        self.home = home
        self.entries = entries.sorted { $0.container < $1.container }
    }

    package func entry(of container: ContainerID) -> ContainerEntry? { entries.first { $0.container == container } }

    package func path(of container: ContainerID) -> AbsolutePath {
        if let mapped = entry(of: container)?.mapped { return mapped }
        // An identifier is a name of a folder, and short enough.
        return (try? DocumentPath(container.name)).flatMap { try? home.appending($0) } ?? home
    }

    /// An app of that team uses it. True if that is news. Throws where it is another team's.
    package mutating func use(_ container: ContainerID, by team: Team) throws(Failure) -> Bool {
        if let entry = entry(of: container) {
            guard entry.team == team else {
                throw Failure(
                    .notAllowed,
                    "the container \(container) belongs to \(entry.team.words) on this device, not to \(team.words); "
                        + "once no app of the former is installed: handoff folder unmap \(container)")
            }
            return false
        }
        guard entries.count < Self.most else {
            throw Failure(.limitReached, "a device has at most \(Self.most) containers")
        }
        insert(ContainerEntry(container: container, team: team))
        return true
    }

    /// Throws where that folder cannot be it: `facts` are of it, and `apart` are folders of which it may not be a part, nor
    /// they of it. Links in those and in the other containers' paths were followed.
    package mutating func map(
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

    /// It lies in the folder again that every container gets. `isInUse`: an app of its team is installed; without one the
    /// container is nobody's afterwards. Throws where neither changes anything.
    package mutating func unmap(_ container: ContainerID, isInUse: Bool) throws(Failure) {
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

/// What a folder is that a container is to be mapped to.
package struct FolderFacts: Hashable, Sendable {
    package var isFolder: Bool
    package var isOwn: Bool
    /// With every link followed; nil where there is nothing.
    package var realPath: AbsolutePath?
    /// Of the user, with every link followed.
    package var home: AbsolutePath?

    package init(isFolder: Bool, isOwn: Bool, realPath: AbsolutePath?, home: AbsolutePath?) {
        self.isFolder = isFolder
        self.isOwn = isOwn
        self.realPath = realPath
        self.home = home
    }

    /// The real path.
    fileprivate func checked(_ path: AbsolutePath) throws(Failure) -> AbsolutePath {
        guard let realPath else {
            throw Failure(.documentGone, "there is no folder \(path); make it first: mkdir -p '\(path)'")
        }
        guard isFolder else { throw Failure(.notAllowed, "\(path) is not a folder") }
        // Before whose it is: of the root folder there is more to say.
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
    /// By the bytes alone.
    fileprivate func isInOrAt(_ folder: AbsolutePath) -> Bool {
        var prefix = folder.bytes
        if prefix.last == UInt8(ascii: "/") { prefix.removeLast() }
        return bytes.starts(with: prefix) && (bytes.count == prefix.count || bytes[prefix.count] == UInt8(ascii: "/"))
    }

    fileprivate func overlaps(_ other: AbsolutePath) -> Bool { isInOrAt(other) || other.isInOrAt(self) }

    /// Of two that overlap.
    fileprivate func relation(to other: AbsolutePath) -> String {
        self == other ? "is" : isInOrAt(other) ? "lies in" : "holds"
    }
}

extension Team {
    /// In a sentence.
    package var words: String {
        switch self {
        case .personal: "your personal team"
        // Anybody can choose the same ten letters.
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
