// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import HandoffSystem
internal import HandoffWire

// An activity that is dragged: out of a list into a window of its own, say. Its bytes are those that are kept of one on disk.

extension NSUserActivity: NSItemProviderWriting, NSItemProviderReading {
    /// An activity as an item: what this project's apps write and read; a toolkit offers it to other programs by this name.
    static let itemType = "handoff.user-activity"
    /// Of one, bytes, as in a frame.
    static let itemBytes = Limits.frameBytes
    /// As for a continuation: what has not been saved by then is not handed over.
    static let itemPatience = Duration.seconds(8)

    /// One type, of this project's own.
    public static var writableTypeIdentifiersForItemProvider: [String] { [itemType] }
    /// One type, of this project's own.
    public static var readableTypeIdentifiersForItemProvider: [String] { [itemType] }

    /// What the activity holds when it is asked for, brought up to date first if ``needsSave`` says so, as when it is sent.
    /// Ends with `CocoaError.userActivityRemoteApplicationTimedOut` where that takes more than eight seconds, and with
    /// `.userActivityHandoffUserInfoTooLarge` where ``userInfo`` is too large to be sent.
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

    /// A new activity that is not current, made of what another one held. Throws `CocoaError.coderReadCorrupt` for bytes that
    /// no activity was written as, and for more than 1 MiB; and an error of ``NSItemProvider/errorDomain`` for a subclass,
    /// of which nothing can be made from bytes.
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
