// SPDX-License-Identifier: Apache-2.0

internal import Glibc

package struct SystemError: Error, CustomStringConvertible {
    /// `errno`.
    package let code: CInt
    /// The path, or the name of the call.
    package let subject: String
    /// For the user, if the code is unclear.
    package let explanation: String?

    package init(_ code: CInt, _ subject: String, _ explanation: String? = nil) {
        self.code = code
        self.subject = subject
        self.explanation = explanation
    }

    /// Reads `errno`, so immediately after the call.
    package init(_ call: String) { self.init(errno, call) }

    package var reason: String { String(cString: strerror(code)) }
    package var description: String { explanation ?? "\(subject): \(reason)" }
}

/// Repeats an interrupted call.
package func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}
