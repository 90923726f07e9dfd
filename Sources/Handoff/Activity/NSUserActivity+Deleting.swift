// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

extension NSUserActivity {
    /// Deletes saved data of this app's activities with these persistent identifiers:
    ///
    /// - A window's state for the app's next run: the scene session's `stateRestorationActivity` becomes nil, in memory
    ///   and on disk. The session's `userInfo` and the window stay.
    /// - The state that the daemon offers for an app that has quit.
    /// - The activities that a search finds, but no items of ``CSSearchableIndex``.
    ///
    /// Activity objects are not affected: a current activity is still offered, and saved again.
    ///
    /// - Parameters:
    ///   - persistentIdentifiers: Any number of identifiers.
    ///   - handler: Called once, in the background, after the deletion on disk. The log names files that cannot be read
    ///     or deleted. A daemon that does not answer within five seconds deletes its data once the app reaches it.
    public class func deleteSavedUserActivities(
        withPersistentIdentifiers persistentIdentifiers: [NSUserActivityPersistentIdentifier],
        completionHandler handler: @escaping @Sendable () -> Void
    ) {
        ActivityCenter.current.deleteSaved(.named(Set(persistentIdentifiers.map { ExactText($0) })), done: handler)
    }

    /// The `async` form of ``deleteSavedUserActivities(withPersistentIdentifiers:completionHandler:)``.
    public class func deleteSavedUserActivities(
        withPersistentIdentifiers persistentIdentifiers: [NSUserActivityPersistentIdentifier]
    ) async {
        await withCheckedContinuation { continuation in
            deleteSavedUserActivities(withPersistentIdentifiers: persistentIdentifiers) { continuation.resume() }
        }
    }

    /// As ``deleteSavedUserActivities(withPersistentIdentifiers:completionHandler:)`` does for all this app's
    /// activities, and unreadable state of windows.
    ///
    /// - Parameter handler: Called once, in the background, after the deletion on disk.
    public class func deleteAllSavedUserActivities(completionHandler handler: @escaping @Sendable () -> Void) {
        ActivityCenter.current.deleteSaved(.all, done: handler)
    }

    /// The `async` form of ``deleteAllSavedUserActivities(completionHandler:)``.
    public class func deleteAllSavedUserActivities() async {
        await withCheckedContinuation { continuation in
            deleteAllSavedUserActivities { continuation.resume() }
        }
    }
}
