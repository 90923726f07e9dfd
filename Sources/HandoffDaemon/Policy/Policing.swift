// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// What the other features ask about what is switched off. `PolicyService` answers.
package protocol Policing: AnyObject {
    /// The switch that stands in the way; nil: it may. A nil bundle is no app of its own, a script.
    func obstacle(to direction: HandoffDirection, of bundle: BundleID?) -> PolicySwitch?
    var summary: PolicySummary { get }
    /// The administrator says that an organization manages this device.
    var isManaged: Bool { get }
    /// Called after something was switched off or on, its time was over, or the administrator ruled something else. In
    /// the order of registration.
    func onChange(_ observer: @escaping (RulingChange) -> Void)
}

/// What of the ruling is another than before; one of them at least.
package struct RulingChange: Hashable, Sendable {
    /// What is off.
    package let switches: Bool
    /// Whether an organization manages this device.
    package let management: Bool
}
