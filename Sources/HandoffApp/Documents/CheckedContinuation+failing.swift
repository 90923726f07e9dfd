// SPDX-License-Identifier: Apache-2.0

extension CheckedContinuation<Void, any Error> {
    /// Resumes with the error of a completion handler.
    func resume(failing error: (any Error)?) {
        if let error { resume(throwing: error) } else { resume() }
    }
}
