// SPDX-License-Identifier: Apache-2.0

/// Under which addresses other devices may reach this one.
package enum LocalHosts {
    /// Numeric, those of one's own network first. Link-local ones are left out: they mean nothing on another machine.
    /// The loopback ones only where asked for, and last.
    package static func all(withLoopback: Bool) -> [String] {
        let interfaces = NetworkInterface.usable(withLoopback: withLoopback).sorted { !$0.isLoopback && $1.isLoopback }
        return interfaces.flatMap { $0.ipv4.sorted() }
            + interfaces.flatMap { $0.ipv6.sorted() }.filter { !$0.hasPrefix("fe80:") }
    }
}
