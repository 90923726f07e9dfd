// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// An open file that came with a message, or goes with one; closed when nobody holds it any more.
package final class SharedDescriptor: Hashable, Sendable {
    package let number: CInt

    /// Takes it over.
    package init(taking number: CInt) { self.number = number }

    /// Another number for the same open file. Nil: this process has none left, or it is not open.
    package init?(duplicating number: CInt) {
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return nil }
        self.number = copy
    }

    /// Another number for the same open file, which the caller closes. Nil: this process has none left.
    package func duplicate() -> CInt? {
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
        return copy < 0 ? nil : copy
    }

    deinit { close(number) }

    package static func == (left: SharedDescriptor, right: SharedDescriptor) -> Bool { left === right }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
