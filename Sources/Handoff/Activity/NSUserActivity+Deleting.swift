// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

// On Apple's systems these also delete from Spotlight's index. This system has no index yet; they
// delete saved activities that it would restore or deliver.

extension NSUserActivity {
    /// Deletes saved data of this app's activities with these persistent identifiers:
    ///
    /// - The state of a window, saved for the app's next run: a scene session's `stateRestorationActivity` becomes nil,
    ///   in memory and on disk. The session's `userInfo` and the window stay.
    /// - The state that the daemon holds so that the activity can be continued after the app has quit. If the app has
    ///   quit, the activity is no longer offered to other devices.
    ///
    /// Activity objects are not affected: a current activity is still offered, and is saved again when it changes or
    /// when the user leaves a window that shows it. Unknown identifiers are ignored, and other apps' activities stay.
    ///
    /// - Parameters:
    ///   - persistentIdentifiers: Any number of identifiers.
    ///   - handler: Called once, in the background, when the deletion on disk is complete. Files that cannot be read or
    ///     deleted are named in the app's log. If the daemon does not answer within five seconds, it deletes its
    ///     data as soon as the app reaches it.
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

    /// Deletes saved data of all this app's activities, with or without a persistent identifier, as
    /// ``deleteSavedUserActivities(withPersistentIdentifiers:completionHandler:)`` does. Unreadable state of windows is
    /// deleted too.
    ///
    /// - Parameter handler: Called once, in the background, when the deletion on disk is complete.
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
