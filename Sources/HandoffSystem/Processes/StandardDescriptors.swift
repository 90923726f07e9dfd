// SPDX-License-Identifier: Apache-2.0

internal import Glibc

extension CommandLine {
    /// Not UTF-8. Swift repairs it, so the program would use another file name.
    package static var firstMalformedArgument: Int? {
        (1..<Int(max(1, argc))).first { unsafeArgv[$0].map { String(validatingCString: $0) == nil } ?? false }
    }
}

package enum StandardDescriptors {
    /// Otherwise the next socket or file gets output for standard error. Reading and writing fail. Call first.
    package static func fill() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // `open` returns the lowest free number.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Blocks, even on a non-blocking descriptor. Returns 0, or `errno`.
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
