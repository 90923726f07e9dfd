// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

/// The condition of a container's folder. Determined in jobs of `Work`.
struct FolderLook: Sendable {
    var problem: String?
    var storage: DocumentStorage?

    /// Creates nothing: if a mapped disk is missing, its mount point must stay empty.
    init(at folder: ContainerFolder, by files: any DocumentFiles) {
        let facts = files.facts(of: folder.path)
        guard let real = facts.realPath else {
            // An unmapped folder is created when it is used.
            if folder.isMapped { problem = "the folder \(folder.path) does not exist: is its disk mounted?" }
            return
        }
        do throws(Failure) {
            try Self.check(facts, real, folder)
            storage = try files.storage(of: folder.path)
            problem = storage?.readOnly
        } catch {
            problem = error.reason
        }
    }

    private static func check(
        _ facts: FolderFacts, _ real: AbsolutePath, _ folder: ContainerFolder
    ) throws(Failure) {
        guard facts.isFolder else { throw Failure(.notAllowed, "\(folder.path) is not a folder") }
        guard facts.isOwn else { throw Failure(.notAllowed, "\(folder.path) belongs to another user") }
        // Paths are compared byte by byte, and apps report real paths.
        guard real == folder.path else {
            throw Failure(
                .notAllowed,
                "\(folder.path) is reached through a link to \(real); run: handoff folder map \(folder.container) '\(real)'"
            )
        }
    }
}

extension ContainerFolder {
    func with(_ look: Result<FolderLook, Failure>) -> ContainerFolder {
        var folder = self
        switch look {
        case .success(let look):
            folder.fileSystem = look.storage?.name
            folder.isSharedStorage = look.storage?.isShared ?? false
            folder.add(look.problem)
        case .failure(let failure): folder.add(failure.reason)
        }
        return folder
    }

    private mutating func add(_ problem: String?) {
        let all = [problem, self.problem].compactMap(\.self)
        self.problem = all.isEmpty ? nil : all.joined(separator: "; ")
    }
}
