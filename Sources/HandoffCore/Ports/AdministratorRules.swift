// SPDX-License-Identifier: Apache-2.0

/// What the administrator of this machine rules. In-memory twin: `MemoryAdministratorRules` in `HandoffTesting`.
package protocol AdministratorRules: AnyObject {
    /// As it is now. No file: nothing is off.
    func read() -> AdministratorPolicy
    /// From now on `changed` is called, on the daemon's loop, soon after what `read` says may be another.
    func watch(_ changed: @escaping () -> Void)
}
