// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import HandoffSystem
internal import HandoffWire

// For dragging an activity, in the format for saving on disk.

extension NSUserActivity: NSItemProviderWriting, NSItemProviderReading {
    /// A toolkit offers it to other programs.
    static let itemType = "handoff.user-activity"
    /// Bytes.
    static let itemBytes = Limits.frameBytes
    /// As for a continuation.
    static let itemPatience = Duration.seconds(8)

    /// One type, specific to this project.
    public static var writableTypeIdentifiersForItemProvider: [String] { [itemType] }
    /// One type, specific to this project.
    public static var readableTypeIdentifiersForItemProvider: [String] { [itemType] }

    /// Returns the activity's state, updated first if ``needsSave`` is set. Fails with
    /// `CocoaError.userActivityRemoteApplicationTimedOut` after eight seconds, and with
    /// `.userActivityHandoffUserInfoTooLarge` if ``userInfo`` is too large.
    public func loadData(
        withTypeIdentifier typeIdentifier: String,
        forItemProviderCompletionHandler completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) -> Progress? {
        let once = Once<Result<Data, any Error>> { completionHandler($0.success, $0.failure) }
        let finish: @Sendable () -> Void = { once(Result { try self.itemData() }) }
        guard needsSave else {
            finish()
            return nil
        }
        center.environment.wait(Self.itemPatience) {
            once(.failure(Failure(.appTimedOut, "the app did not save the activity in time").cocoaError))
        }
        let askOwners: @Sendable () -> Void = {
            guard let handler = self.center.handler, !self.isInvalidated else { return finish() }
            handler.didUpdate(self, done: finish)
        }
        if !prepareToBeSaved(done: askOwners) { askOwners() }
        return nil
    }

    /// Creates an activity, not current, from another's state. Throws `CocoaError.coderReadCorrupt` if the bytes are
    /// not an activity or exceed 1 MiB, and an error of ``NSItemProvider/errorDomain`` for a subclass.
    public static func object(withItemProviderData data: Data, typeIdentifier: String) throws -> Self {
        guard data.count <= itemBytes else { throw CocoaError.unreadable("it has more than \(itemBytes) bytes") }
        let activity: NSUserActivity
        do {
            activity = try NSUserActivity(savedState: ActivityState(encoded: data), center: .current)
        } catch let error as WireError {
            throw CocoaError.unreadable(error.reason)
        } catch let failure as Failure {
            throw CocoaError.unreadable(failure.reason)
        }
        return try NSItemProvider.cast(activity)
    }

    private func itemData() throws -> Data {
        do {
            let bytes = try savedState().encoded()
            guard bytes.count <= Self.itemBytes else {
                throw Failure(.payloadTooLarge, "the activity has more than \(Self.itemBytes) bytes")
            }
            return Data(bytes)
        } catch let failure as Failure {
            throw failure.cocoaError
        } catch let error as WireError {
            throw Failure(.malformed, error.reason).cocoaError
        }
    }
}
