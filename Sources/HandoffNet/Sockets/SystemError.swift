// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A system call that failed, in words.
struct SystemError: Error, CustomStringConvertible {
    let call: String
    let code: Int32

    /// From `errno`, so to be made right after the call.
    init(_ call: String, code: Int32 = errno) {
        self.call = call
        self.code = code
    }

    var reason: String { String(cString: strerror(code)) }
    var description: String { "\(call): \(reason)" }
}
