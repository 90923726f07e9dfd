// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem

/// How many descriptors the daemon may have open.
package enum DescriptorLimit {
    /// Two for each stream, one for each program and device, and room to spare. The usual limit is 1024, which is what
    /// apps that are started from here still get.
    package static let daemon: UInt = 4096

    /// As far as the system allows; returns what holds now. To be called once, before anything is started.
    @discardableResult
    package static func raise(to wanted: UInt = daemon) -> UInt { chandoff_raise_descriptors(wanted) }
}
