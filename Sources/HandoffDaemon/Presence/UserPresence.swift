// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// What the other features ask about the user. `PresenceService` answers.
package protocol UserPresence: AnyObject {
    /// What counts now. Where nobody speaks: here.
    var word: PresenceWord { get }
    /// Whether anybody speaks.
    var isWatched: Bool { get }
    /// Called after the user left or came back, or is away for another reason. In the order of registration.
    func onChange(_ observer: @escaping () -> Void)
}
