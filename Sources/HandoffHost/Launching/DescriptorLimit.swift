// SPDX-License-Identifier: Apache-2.0

internal import CHandoffSystem

package enum DescriptorLimit {
    /// Two for each stream, one for each program and device, and a reserve. Apps started from here still get the usual
    /// limit, 1024.
    package static let daemon: UInt = 4096

    /// Raises the limit as far as the system allows, and returns it. Call once, before any program is started.
    @discardableResult
    package static func raise(to wanted: UInt = daemon) -> UInt { chandoff_raise_descriptors(wanted) }
}
