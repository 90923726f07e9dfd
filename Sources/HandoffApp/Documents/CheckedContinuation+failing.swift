// SPDX-License-Identifier: Apache-2.0

extension CheckedContinuation<Void, any Error> {
    func resume(failing error: (any Error)?) {
        if let error { resume(throwing: error) } else { resume() }
    }
}
