// SPDX-License-Identifier: Apache-2.0

package import HandoffCore

package final class MemoryAdministratorRules: AdministratorRules {
    package var policy = AdministratorPolicy() {
        didSet { changed() }
    }
    private var changed: () -> Void = {}

    package init() {}

    package func read() -> AdministratorPolicy { policy }
    package func watch(_ changed: @escaping () -> Void) { self.changed = changed }
}
