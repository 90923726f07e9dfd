// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// Why a question to a site brought no file.
package struct SiteFailure: CodedError {
    package enum Code: String, Sendable, CaseIterable {
        // The site answered.
        case absent
        case redirected
        case tooLarge
        /// Compressed, which nobody asked for.
        case encoded
        /// A file came, and it is none: HTML, empty, wrongly signed.
        case unreadable

        // It did not, or nobody knows whether it was the site.
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
    /// English, a clause for people: "it redirects (301)". The site is named by whoever shows it.
    package let reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The site itself said that it has no file for us there. All else says nothing about the site: a network without
    /// a way out, or somebody on the way, must not end what the site allowed.
    package var isAnswer: Bool {
        switch code {
        case .absent, .redirected, .tooLarge, .encoded, .unreadable: true
        case .nameUnknown, .privateAddress, .unreachable, .timedOut, .badCertificate, .inTrouble, .malformed: false
        }
    }

    package var description: String { reason }
}
