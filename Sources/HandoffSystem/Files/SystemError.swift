// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A system call that failed: what the system answered, and about what.
package struct SystemError: Error, CustomStringConvertible {
    /// As `errno` had it.
    package let code: CInt
    /// The path, or the call where there is none.
    package let subject: String
    /// The whole sentence for the user where the code alone says too little.
    package let explanation: String?

    package init(_ code: CInt, _ subject: String, _ explanation: String? = nil) {
        self.code = code
        self.subject = subject
        self.explanation = explanation
    }

    /// From `errno`, so to be made right after the call.
    package init(_ call: String) { self.init(errno, call) }

    /// "No space left on device"
    package var reason: String { String(cString: strerror(code)) }
    package var description: String { explanation ?? "\(subject): \(reason)" }
}

/// Again while a signal interrupts the call.
package func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}
