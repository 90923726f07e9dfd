// SPDX-License-Identifier: Apache-2.0

/// The rules of this machine's administrator. In-memory implementation: `MemoryAdministratorRules` in `HandoffTesting`.
package protocol AdministratorRules: AnyObject {
    /// The present rules. Without a file, nothing is off.
    func read() -> AdministratorPolicy
    /// Calls `changed` on the daemon's loop soon after the rules may have changed.
    func watch(_ changed: @escaping () -> Void)
}
