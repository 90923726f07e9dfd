// SPDX-License-Identifier: Apache-2.0

internal import HandoffDaemon
package import HandoffWire

/// Which sites approve of which apps, as the test says.
package final class MemoryWebApproval: WebApproval {
    private var approved: [WebHost: [BundleID]] = [:]
    private var observers: [() -> Void] = []

    package init() {}

    package func approve(_ apps: [BundleID], for host: WebHost) {
        approved[host] = apps
        for observer in observers { observer() }
    }

    package func approvedApps(for host: WebHost) -> [BundleID] { approved[host] ?? [] }
    package func onChange(_ observer: @escaping () -> Void) { observers.append(observer) }
}
