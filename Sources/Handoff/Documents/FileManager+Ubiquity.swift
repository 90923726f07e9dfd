// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import HandoffSystem
internal import HandoffWire

// The app's containers: folders that it has on each of the user's devices. On Apple's systems they are iCloud's; here a
// document in one of them goes along when an activity that names it is continued, and what else keeps the folders alike
// is the user's choice.

extension FileManager {
    /// The folder of one of this app's containers, with `Documents` in it. Nil identifier: the first one of the app's
    /// entitlements. Nil where there is no daemon, the app is not installed, has no such container, or its folder cannot be
    /// made.
    ///
    /// Asks the daemon the first time, which may take up to five seconds, so not to be called on the main thread first.
    public func url(forUbiquityContainerIdentifier containerIdentifier: String?) -> URL? {
        let center = ActivityCenter.current
        let container = center.containers().first { containerIdentifier == nil || $0.identifier == containerIdentifier }
        guard let container else { return nil }
        do {
            let documents = container.place.url.appending(path: "Documents", directoryHint: .isDirectory)
            try createDirectory(at: documents, withIntermediateDirectories: true)
        } catch {
            center.log("the container \(container.identifier) cannot be used: \(error.localizedDescription)")
            return nil
        }
        return container.place.url
    }

    /// Stands for the account that the user's devices share: equal (`isEqual`) for the same one, and not to be read. Nil
    /// where there is none. May take as long as `url(forUbiquityContainerIdentifier:)`.
    /// `Notification.Name.NSUbiquityIdentityDidChange` is posted when it is another one.
    public var ubiquityIdentityToken: (any NSCoding & NSCopying & NSObjectProtocol)? {
        ActivityCenter.current.accountToken().map { NSData(data: Data($0)) }
    }

    /// Whether the file or folder lies in one of this app's containers.
    public func isUbiquitousItem(at url: URL) -> Bool {
        guard let place = FilePlace(url) else { return false }
        return ActivityCenter.current.isInContainer(place)
    }

    /// Moves a file or folder into one of this app's containers, or out of it: `true` in, `false` out. Open documents that
    /// lie there are told.
    ///
    /// Throws `CocoaError` `.fileNoSuchFile`, `.fileWriteFileExists`, what the file system says, and
    /// `.fileWriteInvalidFileName` where the file is in a container already, or is in none, or the destination is not where
    /// the call says.
    public func setUbiquitous(_ flag: Bool, itemAt url: URL, destinationURL: URL) throws {
        let center = ActivityCenter.current
        guard let place = FilePlace(url), let destination = FilePlace(destinationURL),
            center.isInContainer(place) != flag, center.isInContainer(destination) == flag
        else {
            let problem =
                flag
                ? "A file is moved from outside into a container of the app."
                : "A file is moved out of a container of the app."
            throw CocoaError(
                .fileWriteInvalidFileName, userInfo: [NSURLErrorKey: url, NSLocalizedDescriptionKey: problem])
        }
        let coordinator = NSFileCoordinator(filePresenter: nil)
        var failure: NSError?
        var outcome = Result<Void, any Error>.success(())
        coordinator.coordinate(
            writingItemAt: url, options: .forMoving, writingItemAt: destinationURL, options: .forReplacing,
            error: &failure
        ) { source, target in
            outcome = Result {
                try moveItem(at: source, to: target)
                coordinator.item(at: source, didMoveTo: target)
            }
        }
        if let failure { throw failure }
        try outcome.get()
    }

    /// Has a document brought here that was delivered before it was here (`NSDownloadsUbiquitousContents` in the
    /// `Info.plist`), and returns at once. Presenters of the file are told when it is there; a coordinated read waits for
    /// it. What is here already needs nothing.
    ///
    /// Throws `CocoaError.ubiquitousFileUnavailable` for a file that is neither here nor on its way.
    public func startDownloadingUbiquitousItem(at url: URL) throws {
        guard let place = FilePlace(url) else { throw CocoaError(.fileReadUnsupportedScheme) }
        let center = ActivityCenter.current
        if center.isPending(place) { return center.download(place) { _ in } }
        guard FileStamp(path: place.text) != nil else {
            throw CocoaError(.ubiquitousFileUnavailable, userInfo: [NSURLErrorKey: url])
        }
    }

    /// Always throws `CocoaError.featureUnsupported`: this device may be the only one that has the file.
    public func evictUbiquitousItem(at url: URL) throws {
        throw CocoaError(.featureUnsupported, userInfo: [NSURLErrorKey: url])
    }

    /// Always throws `CocoaError.featureUnsupported`: there is no server that others could ask.
    @discardableResult
    public func url(
        forPublishingUbiquitousItemAt url: URL, expiration outDate: UnsafeMutablePointer<NSDate?>?
    ) throws -> URL {
        throw CocoaError(.featureUnsupported, userInfo: [NSURLErrorKey: url])
    }

    /// A folder that apps share which name the same group, on this device alone. Made when it is first asked for. Nil for an
    /// identifier that is no name of a folder: ASCII letters, digits, dashes and underscores between single dots. No
    /// entitlement is needed: apps of one user are not kept apart.
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
        guard let group = try? ContainerID(groupIdentifier) else { return nil }
        let center = ActivityCenter.current
        let folder = URL(
            filePath: center.environment.locations.groups + "/" + group.name, directoryHint: .isDirectory)
        do {
            try createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            center.log("the folder of the group \(group.name) cannot be used: \(error.localizedDescription)")
            return nil
        }
        return folder
    }
}

extension Notification.Name {
    /// The user's devices share another account, or none any more. Posted on the main queue, to an app that has asked for
    /// its containers or for `FileManager.ubiquityIdentityToken`.
    public static let NSUbiquityIdentityDidChange = Notification.Name("NSUbiquityIdentityDidChangeNotification")
}

/// Whether a document of a container is here.
public struct URLUbiquitousItemDownloadingStatus: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Not yet: `FileManager.startDownloadingUbiquitousItem(at:)` has it brought.
    public static let notDownloaded = Self(rawValue: "NSURLUbiquitousItemDownloadingStatusNotDownloaded")
    /// Here, and there may be a newer one elsewhere.
    public static let downloaded = Self(rawValue: "NSURLUbiquitousItemDownloadingStatusDownloaded")
    /// Here, and as new as this device knows of.
    public static let current = Self(rawValue: "NSURLUbiquitousItemDownloadingStatusCurrent")
}

extension URLResourceValues {
    /// Always `.current`: Foundation here does not say of which file these values are, and one that can be asked for its
    /// values is here as a whole.
    public var ubiquitousItemDownloadingStatus: URLUbiquitousItemDownloadingStatus? { .current }
}

// Keys that Foundation here lacks. Nothing has values for them.
extension URLResourceKey {
    public static let ubiquitousItemIsSharedKey = URLResourceKey(rawValue: "NSURLUbiquitousItemIsSharedKey")
    public static let ubiquitousItemIsExcludedFromSyncKey = URLResourceKey(
        rawValue: "NSURLUbiquitousItemIsExcludedFromSyncKey")
}
