// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Standard input, output and errors of this process.
package enum StandardDescriptors {
    /// Fills in those that this process was started without. Otherwise the next socket or file takes the number, and a
    /// line for standard errors is written into it. Reading and writing fail, as they do on a closed descriptor. To be called first.
    package static func fill() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest free number is this one. Children inherit it as they inherit a closed one.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Waits until all bytes are written, on a non-blocking descriptor too. Returns 0, or the error number.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) -> CInt {
        var rest = bytes
        while !rest.isEmpty {
            let count = retrying { Glibc.write(descriptor, rest.baseAddress, rest.count) }
            if count >= 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            } else if errno == EAGAIN {
                var poller = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&poller, 1, -1)
            } else {
                return errno
            }
        }
        return 0
    }
}
