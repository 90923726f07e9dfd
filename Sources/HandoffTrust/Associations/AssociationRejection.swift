// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

package struct AssociationRejection: CodedError {
    package enum Code: String, Sendable, CaseIterable {
        case empty
        case tooLarge
        /// Usually the site's "not found" page.
        case html
        /// The server does not declare it.
        case compressed
        case notUTF8
        case notJSON
        case notAnObject
        case nestingTooDeep
        /// A deeper duplicate invalidates only its part.
        case duplicateKey
        // Only for signed files:
        case notCMS
        case noContent
        case notOneSigner
        case tooManyCertificates
        case noSignerCertificate
        case weakDigest
        case unsupportedKey
        case anotherHost
        case certificateExpired
        case certificateNotYetValid
        case noTrustedRoot
        case weakChain
        case chainBroken
        case contentChanged
    }

    package let code: Code
    package let description: String

    init(_ code: Code, _ reason: String) {
        self.code = code
        description = DisplayText(cleaning: reason, limit: Limits.reasonCharacters).text
    }
}
