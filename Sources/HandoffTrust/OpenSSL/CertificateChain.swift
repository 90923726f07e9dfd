// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import HandoffWire

enum CertificateChain {
    enum Verdict {
        case holds
        case expired
        case notYetValid
        /// libcrypto's code and text.
        case broken(code: CInt, reason: String)
    }

    /// Accepts no intermediate, no other root, no system store.
    static func check(
        _ leaf: borrowing OpenSSLCertificate, issuedBy anchor: borrowing OpenSSLCertificate, at time: WallTime
    ) throws(OpenSSLError) -> Verdict {
        let anchors = try copenssl_certificates_new().orError()
        defer { copenssl_certificates_free(anchors) }
        guard copenssl_certificates_add(anchors, anchor.handle) > 0 else { throw OpenSSLError() }
        return try check(leaf, through: nil, to: anchors, purpose: nil, depth: 0, at: time)
    }

    /// No system store. `purpose`: an X509_PURPOSE, nil for any. `depth`: the most intermediates.
    static func check(
        _ leaf: borrowing OpenSSLCertificate, through others: OpaquePointer?, to anchors: OpaquePointer,
        purpose: CInt?, depth: CInt, at time: WallTime
    ) throws(OpenSSLError) -> Verdict {
        let context = try X509_STORE_CTX_new().orError()
        defer { X509_STORE_CTX_free(context) }
        guard X509_STORE_CTX_init(context, nil, leaf.handle, others) == 1 else { throw OpenSSLError() }
        X509_STORE_CTX_set0_trusted_stack(context, anchors)
        let parameters = try X509_STORE_CTX_get0_param(context).orError()
        X509_VERIFY_PARAM_set_time(parameters, time.seconds)
        // 112 bits: no SHA-1 and no short key in the chain.
        X509_VERIFY_PARAM_set_auth_level(parameters, 2)
        X509_VERIFY_PARAM_set_depth(parameters, depth)
        if let purpose, X509_VERIFY_PARAM_set_purpose(parameters, purpose) != 1 { throw OpenSSLError() }
        let isGood = X509_verify_cert(context) == 1
        let code = X509_STORE_CTX_get_error(context)
        ERR_clear_error()
        if isGood { return .holds }
        return switch code {
        case X509_V_ERR_CERT_HAS_EXPIRED: .expired
        case X509_V_ERR_CERT_NOT_YET_VALID: .notYetValid
        default: .broken(code: code, reason: String(cString: X509_verify_cert_error_string(Int(code))))
        }
    }
}
