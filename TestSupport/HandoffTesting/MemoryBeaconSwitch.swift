// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore

/// Changed by the test.
package final class MemoryBeaconSwitch: BeaconSwitch {
    private var changed: (Bool) -> Void = { _ in }

    package init() {}

    package func watch(_ changed: @escaping (Bool) -> Void) { self.changed = changed }

    package func set(_ isOn: Bool) { changed(isOn) }
}
