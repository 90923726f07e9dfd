// SPDX-License-Identifier: Apache-2.0

/// How far this machine's network is not as it was.
package struct NetworkChange: Hashable, Sendable {
    /// Those that came, or have other addresses. Nil: any may have.
    package let interfaces: Set<UInt32>?
    /// Hosts that are reached in another way, or no longer, or through an interface that changed. Nil: all may be.
    package let hosts: Set<String>?

    /// As after a sleep.
    package static let any = NetworkChange(interfaces: nil, hosts: nil)

    package init(interfaces: Set<UInt32>?, hosts: Set<String>?) {
        self.interfaces = interfaces
        self.hosts = hosts
    }

    /// A nil host is unknown.
    func concerns(_ host: String?) -> Bool {
        guard let hosts, let host else { return true }
        return hosts.contains(host)
    }
}
