// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// The user's presence. Implemented by `PresenceService`.
package protocol UserPresence: AnyObject {
    /// The valid report. Without sources, the user is present.
    var word: PresenceWord { get }
    var isWatched: Bool { get }
    /// Called after the user left or returned, or the reason for the absence changed, in the order of registration.
    func onChange(_ observer: @escaping () -> Void)
}
