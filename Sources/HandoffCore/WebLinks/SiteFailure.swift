// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

package struct SiteFailure: CodedError {
    package enum Code: String, Sendable, CaseIterable {
        // The site answered.
        case absent
        case redirected
        case tooLarge
        /// Compressed without a request for it.
        case encoded
        /// The file is invalid: HTML, empty, or wrongly signed.
        case unreadable

        // The site did not answer, or its identity is unproven.
        case nameUnknown
        case privateAddress
        case unreachable
        case timedOut
        case badCertificate
        /// 5xx, 408, 425, 429.
        case inTrouble
        /// Cut off, or not HTTP.
        case malformed
    }

    package let code: Code
    /// A clause in English for the user: "it redirects (301)". The text around it names the site.
    package let reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The site itself answered that it has no file there. Other failures prove nothing about the site: a network
    /// without internet access, or an attacker on the path, must not end what the site allowed.
    package var isAnswer: Bool {
        switch code {
        case .absent, .redirected, .tooLarge, .encoded, .unreadable: true
        case .nameUnknown, .privateAddress, .unreachable, .timedOut, .badCertificate, .inTrouble, .malformed: false
        }
    }

    package var description: String { reason }
}
