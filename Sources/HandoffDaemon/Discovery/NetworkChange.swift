// SPDX-License-Identifier: Apache-2.0

import HandoffCore

struct NetworkChange: Hashable, Sendable {
    /// Interfaces that are new or have other addresses. Nil: any interface.
    let interfaces: Set<UInt32>?
    /// Hosts whose network path is gone, changed, or uses a changed interface. Nil: any host.
    let hosts: Set<String>?

    /// For example after sleep.
    static let any = NetworkChange(interfaces: nil, hosts: nil)

    func concerns(_ host: String?) -> Bool {
        guard let hosts, let host else { return true }
        return hosts.contains(host)
    }
}
