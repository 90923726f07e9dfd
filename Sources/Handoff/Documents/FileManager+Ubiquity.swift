// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import HandoffSystem
internal import HandoffWire

// On Apple's systems, containers are in iCloud. Here, an activity brings a document that it names; otherwise the user
// keeps the folders in sync.

extension FileManager {
    /// The folder of an app's container, with a `Documents` folder in it; for nil, the first in the entitlements.
    /// Returns nil without a daemon or such a container, if the app is not installed, or if the folder cannot be
    /// created.
    ///
    /// The first call may take up to five seconds; do not make it on the main thread.
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

    /// An opaque token of the user's devices' account; equal (`isEqual`) for the same account, nil without one. May
    /// take as long as `url(forUbiquityContainerIdentifier:)`. A change posts
    /// `Notification.Name.NSUbiquityIdentityDidChange`.
    public var ubiquityIdentityToken: (any NSCoding & NSCopying & NSObjectProtocol)? {
        ActivityCenter.current.accountToken().map { NSData(data: Data($0)) }
    }

    /// Whether the file or folder is in one of this app's containers.
    public func isUbiquitousItem(at url: URL) -> Bool {
        guard let place = FilePlace(url) else { return false }
        return ActivityCenter.current.isInContainer(place)
    }

    /// Moves a file or folder into this app's containers (`true`) or out of them (`false`), and notifies open documents
    /// in it.
    ///
    /// Throws `CocoaError` `.fileNoSuchFile`, `.fileWriteFileExists`, errors of the file system, and
    /// `.fileWriteInvalidFileName` if source or destination is on the wrong side.
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

    /// Begins to fetch a document that was delivered before its content (`NSDownloadsUbiquitousContents` in the
    /// `Info.plist`). Presenters are notified of its arrival; a coordinated read waits for it.
    ///
    /// Throws `CocoaError.ubiquitousFileUnavailable` if the file is neither here nor pending.
    public func startDownloadingUbiquitousItem(at url: URL) throws {
        guard let place = FilePlace(url) else { throw CocoaError(.fileReadUnsupportedScheme) }
        let center = ActivityCenter.current
        if center.isPending(place) { return center.download(place) { _ in } }
        guard FileStamp(path: place.text) != nil else {
            throw CocoaError(.ubiquitousFileUnavailable, userInfo: [NSURLErrorKey: url])
        }
    }

    /// Always throws `CocoaError.featureUnsupported`, because this device may have the only copy.
    public func evictUbiquitousItem(at url: URL) throws {
        throw CocoaError(.featureUnsupported, userInfo: [NSURLErrorKey: url])
    }

    /// Always throws `CocoaError.featureUnsupported`, because there is no server to publish the file.
    @discardableResult
    public func url(
        forPublishingUbiquitousItemAt url: URL, expiration outDate: UnsafeMutablePointer<NSDate?>?
    ) throws -> URL {
        throw CocoaError(.featureUnsupported, userInfo: [NSURLErrorKey: url])
    }

    /// A folder shared by this device's apps that name the same group, created by the first call. Nil unless the
    /// identifier is ASCII letters, digits, dashes and underscores, separated by single dots. Needs no entitlement.
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
    /// The account of the user's devices changed. Posted on the main queue to an app that has requested its containers
    /// or `FileManager.ubiquityIdentityToken`.
    public static let NSUbiquityIdentityDidChange = Notification.Name("NSUbiquityIdentityDidChangeNotification")
}

/// Whether the content of a container's document is on this device.
public struct URLUbiquitousItemDownloadingStatus: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Not yet; `FileManager.startDownloadingUbiquitousItem(at:)` fetches it.
    public static let notDownloaded = Self(rawValue: "NSURLUbiquitousItemDownloadingStatusNotDownloaded")
    /// On this device; another may have a newer version.
    public static let downloaded = Self(rawValue: "NSURLUbiquitousItemDownloadingStatusDownloaded")
    /// On this device, in the newest known version.
    public static let current = Self(rawValue: "NSURLUbiquitousItemDownloadingStatusCurrent")
}

extension URLResourceValues {
    /// Always `.current`: Foundation on Linux hides the file, and a file that has values is complete.
    public var ubiquitousItemDownloadingStatus: URLUbiquitousItemDownloadingStatus? { .current }
}

// Keys that Foundation on Linux lacks, without values.
extension URLResourceKey {
    public static let ubiquitousItemIsSharedKey = URLResourceKey(rawValue: "NSURLUbiquitousItemIsSharedKey")
    public static let ubiquitousItemIsExcludedFromSyncKey = URLResourceKey(
        rawValue: "NSURLUbiquitousItemIsExcludedFromSyncKey")
}
