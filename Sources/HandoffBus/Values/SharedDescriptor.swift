// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Closed when it is released.
package final class SharedDescriptor: Hashable, Sendable {
    package let number: CInt

    package init(taking number: CInt) { self.number = number }

    /// Nil if this process has no free descriptor, or `number` is not open.
    package init?(duplicating number: CInt) {
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return nil }
        self.number = copy
    }

    /// A duplicate that the caller must close. Nil if this process has no free descriptor.
    package func duplicate() -> CInt? {
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
        return copy < 0 ? nil : copy
    }

    deinit { close(number) }

    package static func == (left: SharedDescriptor, right: SharedDescriptor) -> Bool { left === right }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
