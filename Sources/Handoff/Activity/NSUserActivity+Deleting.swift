// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

// On Apple's systems these reach what Spotlight keeps. There is no index here yet; what is kept of activities, and goes, is
// what this system would give back or hand out by itself.

extension NSUserActivity {
    /// Deletes what is saved of this app's activities that have one of these persistent identifiers.
    ///
    /// - What a window showed, kept for the app's next run: a scene session's `stateRestorationActivity` becomes nil, in
    ///   memory and on disk. What the app keeps in the session's `userInfo` stays, and so does the window.
    /// - What the daemon holds so that the activity can be continued after the app has quit. If the app has quit, other
    ///   devices are not offered the activity any more.
    ///
    /// Activities that are there as objects are not touched: one that is current is offered as before, and is saved anew when
    /// something changes or a window that shows it is left. Identifiers that nothing is saved under are passed over, and
    /// what other apps saved stays.
    ///
    /// - Parameters:
    ///   - persistentIdentifiers: Whose; any number of them.
    ///   - handler: Called once, in the background, when it is deleted on disk. What cannot be deleted there, or read to find
    ///     out whether it is meant, is named in the app's log. A daemon that does not answer within five seconds deletes it as
    ///     soon as the app reaches it.
    public class func deleteSavedUserActivities(
        withPersistentIdentifiers persistentIdentifiers: [NSUserActivityPersistentIdentifier],
        completionHandler handler: @escaping @Sendable () -> Void
    ) {
        ActivityCenter.current.deleteSaved(.named(Set(persistentIdentifiers.map { ExactText($0) })), done: handler)
    }

    /// As ``deleteSavedUserActivities(withPersistentIdentifiers:completionHandler:)``; returns when that calls its handler.
    public class func deleteSavedUserActivities(
        withPersistentIdentifiers persistentIdentifiers: [NSUserActivityPersistentIdentifier]
    ) async {
        await withCheckedContinuation { continuation in
            deleteSavedUserActivities(withPersistentIdentifiers: persistentIdentifiers) { continuation.resume() }
        }
    }

    /// Deletes all that is saved of this app's activities, with and without a persistent identifier, as
    /// ``deleteSavedUserActivities(withPersistentIdentifiers:completionHandler:)`` does. What was kept of a window and cannot
    /// be read any more goes too.
    ///
    /// - Parameter handler: Called once, in the background, when it is deleted on disk.
    public class func deleteAllSavedUserActivities(completionHandler handler: @escaping @Sendable () -> Void) {
        ActivityCenter.current.deleteSaved(.all, done: handler)
    }

    /// As ``deleteAllSavedUserActivities(completionHandler:)``; returns when that calls its handler.
    public class func deleteAllSavedUserActivities() async {
        await withCheckedContinuation { continuation in
            deleteAllSavedUserActivities { continuation.resume() }
        }
    }
}
