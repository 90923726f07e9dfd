// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// Why a file says nothing about apps.
package struct AssociationRejection: CodedError {
    package enum Code: String, Sendable, CaseIterable {
        case empty
        case tooLarge
        /// A page, mostly the site's "not found".
        case html
        /// Compressed, without the server saying so.
        case compressed
        case notUTF8
        case notJSON
        case notAnObject
        case nestingTooDeep
        /// At the top. Within, it ends what it is part of.
        case duplicateKey
        // A signed file:
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
    /// For people.
    package let description: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        description = DisplayText(cleaning: reason, limit: Limits.reasonCharacters).text
    }
}
