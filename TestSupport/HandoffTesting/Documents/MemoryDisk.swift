// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffTrust
internal import HandoffWire

/// Paths are bytes; every write has its own timestamp.
struct MemoryDisk {
    enum Content: Hashable {
        case file([UInt8])
        case folder
        /// The target.
        case link([UInt8])
        /// A socket, a device or a FIFO.
        case special
    }

    struct Node: Hashable {
        var inode: UInt64
        var content: Content
        var modified: FileTime
        var changed: FileTime
        var mode: UInt16
    }

    enum Lookup {
        case found(AbsolutePath)
        /// Existing parents keep their spelling on disk.
        case nothing(AbsolutePath)
        case ambiguous
    }

    /// The path of the first entry is nil.
    typealias Tree = [(path: DocumentPath?, node: Node)]

    static let device: UInt64 = 1

    private(set) var nodes: [AbsolutePath: Node] = [:]
    var caseInsensitive: Set<AbsolutePath> = []
    private var lastInode: UInt64 = 1
    /// Nanoseconds; every write adds one.
    private var now: Int64 = 1_790_000_000_000_000_000

    subscript(path: AbsolutePath) -> Node? { nodes[path] }

    mutating func newInode() -> UInt64 {
        lastInode += 1
        return lastInode
    }

    mutating func moment() -> FileTime {
        now += 1
        return FileTime(nanoseconds: now)
    }

    /// With `keepsInode`, writes into an existing file. Otherwise a new file takes its name.
    mutating func put(
        _ content: Content, at path: AbsolutePath, mode: UInt16, modified: FileTime? = nil, keepsInode: Bool = false
    ) {
        makeParents(of: path)
        let moment = moment()
        let inode = keepsInode ? nodes[path]?.inode : nil
        remove(path)
        nodes[path] = Node(
            inode: inode ?? newInode(), content: content, modified: modified ?? moment, changed: moment, mode: mode)
    }

    /// `isNew`: the files get new inodes.
    mutating func put(_ tree: Tree, at path: AbsolutePath, isNew: Bool = false) throws(Failure) {
        makeParents(of: path)
        remove(path)
        for (member, var node) in tree {
            node.changed = moment()
            if isNew { node.inode = newInode() }
            nodes[try path.appendingInMemory(member)] = node
        }
    }

    mutating func remove(_ path: AbsolutePath) {
        nodes = nodes.filter { $0.key != path && $0.key.path(in: path) == nil }
    }

    func tree(at path: AbsolutePath) -> Tree {
        guard let node = nodes[path] else { return [] }
        let inside = nodes.compactMap { other, node in other.path(in: path).map { ($0, node) } }
            .sorted { $0.0.bytes.lexicographicallyPrecedes($1.0.bytes) }
        return [(nil, node)] + inside.map { ($0.0, $0.1) }
    }

    func names(in folder: AbsolutePath) -> [[UInt8]] {
        nodes.keys.compactMap { $0.path(in: folder) }.filter { $0.parts.count == 1 }.map(\.bytes)
            .sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// `exactly`: ignores files whose names differ by Unicode form.
    func lookUp(_ path: DocumentPath, in folder: AbsolutePath, exactly: Bool = false) throws(Failure) -> Lookup {
        if exactly, nodes[try folder.appendingInMemory(path)] == nil {
            return .nothing(try folder.appendingInMemory(path))
        }
        return try lookUp(path.parts, in: folder, from: folder, links: 0)
    }

    private func lookUp(
        _ parts: [ArraySlice<UInt8>], in folder: AbsolutePath, from root: AbsolutePath, links: Int
    ) throws(Failure) -> Lookup {
        var place = folder
        var isThere = true
        for (number, part) in parts.enumerated() {
            let entries = isThere ? names(in: place) : []
            switch DocumentName.find(part, among: entries, ignoringCase: caseInsensitive.contains(root)) {
            case .none:
                isThere = false
                place = try place.appendingInMemory(part)
            case .found(let name): place = try place.appendingInMemory(name[...])
            case .ambiguous: return .ambiguous
            }
            guard case .link(let target)? = nodes[place]?.content else { continue }
            let rest = Array(parts.dropFirst(number + 1))
            return try follow(target, to: rest, at: place, from: root, links: links)
        }
        return isThere ? .found(place) : .nothing(place)
    }

    private func follow(
        _ target: [UInt8], to rest: [ArraySlice<UInt8>], at link: AbsolutePath, from root: AbsolutePath, links: Int
    ) throws(Failure) -> Lookup {
        let steps = target.split(separator: UInt8(ascii: "/"))
        guard links < 8, target.first != UInt8(ascii: "/"), !steps.contains(where: { $0.elementsEqual("..".utf8) }),
            let path = link.path(in: root)
        else { throw Failure(.notAllowed, "a link on the way leads out of the folder") }
        let parts = path.parent?.parts ?? []
        return try lookUp(parts + steps + rest, in: root, from: root, links: links + 1)
    }

    private mutating func makeParents(of path: AbsolutePath) {
        let slashes = path.bytes.indices.dropFirst().filter { path.bytes[$0] == UInt8(ascii: "/") }
        for slash in slashes {
            guard let parent = try? AbsolutePath(bytes: path.bytes[..<slash]), nodes[parent] == nil else { continue }
            let moment = moment()
            nodes[parent] = Node(
                inode: newInode(), content: .folder, modified: moment, changed: moment, mode: 0o755)
        }
    }
}

extension AbsolutePath {
    /// Nil: itself.
    func appendingInMemory(_ path: DocumentPath?) throws(Failure) -> AbsolutePath {
        guard let path else { return self }
        do throws(WireError) { return try appending(path) } catch { throw Failure(.limitReached, error.reason) }
    }

    func appendingInMemory(_ part: ArraySlice<UInt8>) throws(Failure) -> AbsolutePath {
        do throws(WireError) { return try appending(try DocumentPath(bytes: part)) } catch {
            throw Failure(.limitReached, error.reason)
        }
    }
}
