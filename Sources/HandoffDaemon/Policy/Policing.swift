// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// The policy switches. Implemented by `PolicyService`.
package protocol Policing: AnyObject {
    /// The switch that prevents it; nil: it is allowed. A nil bundle means a script.
    func obstacle(to direction: HandoffDirection, of bundle: BundleID?) -> PolicySwitch?
    var summary: PolicySummary { get }
    var isManaged: Bool { get }
    /// Called after a switch changed or expired, or the administrator's rules changed, in the order of registration.
    func onChange(_ observer: @escaping (RulingChange) -> Void)
}

/// The parts of the ruling that changed; at least one did.
package struct RulingChange: Hashable, Sendable {
    package let switches: Bool
    package let management: Bool
}
