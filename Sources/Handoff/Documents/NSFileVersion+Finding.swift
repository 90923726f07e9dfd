// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import HandoffClient
internal import HandoffSystem
internal import HandoffWire

extension NSFileVersion {
    /// The version at this URL; nil without a file.
    public class func currentVersionOfItem(at url: URL) -> NSFileVersion? {
        guard let place = FilePlace(url) else { return nil }
        return NSFileVersion(.current, at: place, of: place, in: .current)
    }

    /// Conflict copies, newest first, then replaced versions. Nil without a file. May take up to five seconds.
    public class func otherVersionsOfItem(at url: URL) -> [NSFileVersion]? {
        guard let current = currentVersionOfItem(at: url) else { return nil }
        let kept = current.center.keptVersions(of: current.item).compactMap { version in
            NSFileVersion(
                .kept(version), at: FilePlace(version.file), of: current.item, in: current.center)
        }
        return conflictVersions(of: url) + kept
    }

    /// Unresolved conflict copies, newest first; nil without a file.
    public class func unresolvedConflictVersionsOfItem(at url: URL) -> [NSFileVersion]? {
        guard currentVersionOfItem(at: url) != nil else { return nil }
        return conflictVersions(of: url).filter { !$0.isResolved }
    }

    /// The version with this `persistentIdentifier`, if it still exists.
    public class func version(itemAt url: URL, forPersistentIdentifier persistentIdentifier: Any) -> NSFileVersion? {
        guard let current = currentVersionOfItem(at: url), let wanted = persistentIdentifier as? NSString else {
            return nil
        }
        let versions = [current] + (otherVersionsOfItem(at: url) ?? [])
        return versions.first { wanted.isEqual($0.persistentIdentifier) }
    }

    /// Returns no versions, in the background: devices ask each other for a document when it is continued.
    public class func getNonlocalVersionsOfItem(
        at url: URL, completionHandler: @escaping @Sendable ([NSFileVersion]?, (any Error)?) -> Void
    ) {
        DispatchQueue.global().async { completionHandler([], nil) }
    }

    /// Always empty.
    public class func nonlocalVersionsOfItem(at url: URL) async throws -> [NSFileVersion]? { [] }

    /// Copies with a conflict's name, and those that the daemon reported.
    class func conflictVersions(of url: URL) -> [NSFileVersion] {
        guard let place = FilePlace(url), let folder = place.folder,
            let name = try? DocumentPath(bytes: place.name)
        else { return [] }
        let center = ActivityCenter.current
        let entries = (try? OpenFile.open(folder.text, O_RDONLY | O_DIRECTORY).entries(atMost: searchedEntries)) ?? []
        let named = DocumentName.conflictCopies(of: name, among: entries.map { Array($0.utf8) })
            .compactMap { name in (try? DocumentPath(bytes: name)).flatMap { try? folder.path.appending($0) } }
            .map { FilePlace($0) }
        let found = Set(named + center.toldConflictCopies(of: place)).subtracting([place])
        return found.compactMap { NSFileVersion(conflictCopy: $0, of: place, in: center) }
            .sorted {
                ($1.modificationDate ?? .distantPast, $1.file.text) < (
                    $0.modificationDate ?? .distantPast, $0.file.text
                )
            }
    }

    /// Larger folders are not searched completely.
    static let searchedEntries = 10_000
}

extension ActivityCenter {
    func toldConflictCopies(of place: FilePlace) -> [FilePlace] {
        state.withLock { $0.files.conflictCopies[place] ?? [] }
    }

    func forget(conflictCopy: FilePlace, of place: FilePlace) {
        state.withLock { state in
            state.files.resolved.remove(conflictCopy)
            state.files.conflictCopies[place]?.removeAll { $0 == conflictCopy }
        }
    }

    func isResolved(_ copy: FilePlace) -> Bool {
        FileMark.resolved.isOn(copy.text) || state.withLock { $0.files.resolved.contains(copy) }
    }

    func setResolved(_ isResolved: Bool, _ copy: FilePlace) {
        let isKept = FileMark.resolved.set(isResolved, on: copy.text)
        state.withLock { state in
            if isResolved, !isKept {
                state.files.resolved.insert(copy)
            } else {
                state.files.resolved.remove(copy)
            }
        }
        if !isKept {
            logOnce("a file system here has no extended attributes: conflicts stay resolved only until the app quits")
        }
    }

    // MARK: Versions that the daemon keeps

    func keptVersions(of place: FilePlace) -> [KeptVersion] {
        guard case .documents(.versionList(let versions)) = try? ask(.documents(.listVersions(place.path))) else {
            return []
        }
        return versions
    }

    func restore(_ version: KeptVersion) throws(CocoaError) {
        do throws(Failure) { _ = try ask(.documents(.restoreVersion(version.id))) } catch { throw error.cocoaError }
    }

    /// Blocks; not for the connection's thread.
    private func ask(_ message: LocalMessage) throws(Failure) -> LocalMessage {
        let answered = DispatchSemaphore(value: 0)
        let answer = Lock<Result<LocalMessage, Failure>>(
            .failure(Failure(.connectionUnavailable, "the daemon did not answer in time")))
        let line = environment.mayWait ? state.withLock { $0.isConnected ? $0.connection : nil } : nil
        let isAsked = line?.request(message) { result in
            answer.withLock { $0 = result }
            answered.signal()
        }
        guard isAsked == true else { throw Failure(.connectionUnavailable, "the daemon is not connected") }
        _ = answered.wait(timeout: .now() + Self.containerPatience.dispatchInterval)
        return try answer.withLock { $0 }.get()
    }
}
