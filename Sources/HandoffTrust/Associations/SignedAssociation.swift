// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import HandoffWire

/// For iOS 8: CMS SignedData (RFC 5652) with the JSON and one signer, the site's TLS certificate, as by `openssl smime
/// -sign -nodetach -outform DER`.
///
/// Signed attributes may be missing (`-noattr`): their encoding cannot pass for JSON.
enum SignedAssociation {
    static func content(
        of file: [UInt8], from host: WebHost, roots: [[UInt8]], at time: WallTime
    ) throws(AssociationRejection) -> [UInt8] {
        guard
            let message = decoding(
                file, { d2i_CMS_ContentInfo(nil, $0, $1) }, free: { CMS_ContentInfo_free($0) },
                // Editors append these.
                mayFollow: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") })
        else { throw AssociationRejection(.notCMS, "the file is neither JSON nor CMS in DER") }
        defer {
            CMS_ContentInfo_free(message)
            ERR_clear_error()
        }
        guard OBJ_obj2nid(CMS_get0_type(message)) == NID_pkcs7_signed else {
            throw AssociationRejection(.notCMS, "the file is CMS, but not signed data")
        }
        guard let json = content(of: message) else {
            throw AssociationRejection(.noContent, "the signature does not contain the file that it signs (-nodetach)")
        }
        let signers = copenssl_signer_count(message)
        guard signers == 1, let signer = copenssl_signer(message, 0) else {
            throw AssociationRejection(.notOneSigner, "the file has \(max(0, signers)) signers, not one")
        }
        try checkAlgorithms(of: signer)
        try checkCertificates(of: signer, in: message, host, roots, time)
        guard CMS_verify(message, nil, nil, nil, nil, CUnsignedInt(CMS_BINARY | CMS_NO_SIGNER_CERT_VERIFY)) == 1 else {
            throw AssociationRejection(.contentChanged, "the content differs from what was signed")
        }
        return json
    }

    private static func content(of message: OpaquePointer) -> [UInt8]? {
        guard CMS_is_detached(message) == 0, OBJ_obj2nid(CMS_get0_eContentType(message)) == NID_pkcs7_data,
            let string = CMS_get0_content(message)?.pointee, let data = ASN1_STRING_get0_data(string)
        else { return nil }
        return Array(UnsafeBufferPointer(start: data, count: max(0, Int(ASN1_STRING_length(string)))))
    }

    /// RSA (PKCS #1) or ECDSA, with the signer's digest.
    private static func checkAlgorithms(of signer: OpaquePointer) throws(AssociationRejection) {
        let (digest, signature) = CMSSignature.algorithms(of: signer)
        let allowed: [CInt]? =
            switch digest {
            case NID_sha256: [NID_rsaEncryption, NID_sha256WithRSAEncryption, NID_ecdsa_with_SHA256]
            case NID_sha384: [NID_rsaEncryption, NID_sha384WithRSAEncryption, NID_ecdsa_with_SHA384]
            case NID_sha512: [NID_rsaEncryption, NID_sha512WithRSAEncryption, NID_ecdsa_with_SHA512]
            default: nil
            }
        guard let allowed else {
            throw AssociationRejection(.weakDigest, "the signature's digest is neither SHA-256, SHA-384 nor SHA-512")
        }
        guard allowed.contains(signature) else {
            throw AssociationRejection(.unsupportedKey, "the signature is neither RSA (PKCS #1) nor ECDSA")
        }
    }

    /// Must be valid for the host, and chain to a root through the others in the file.
    private static func checkCertificates(
        of signer: OpaquePointer, in message: OpaquePointer, _ host: WebHost, _ roots: [[UInt8]], _ time: WallTime
    ) throws(AssociationRejection) {
        let list = CMS_get1_certs(message)
        defer { copenssl_certificates_free(list) }
        let count = list == nil ? 0 : max(0, copenssl_certificate_count(list))
        guard count <= AssociationLimits.certificates else {
            throw AssociationRejection(
                .tooManyCertificates,
                "the file holds \(count) certificates; the limit is \(AssociationLimits.certificates)")
        }
        let own = (0..<count).compactMap { copenssl_certificate(list, $0) }
            .first { CMS_SignerInfo_cert_cmp(signer, $0) == 0 }
        guard let leaf = OpenSSLCertificate(sharing: own) else {
            throw AssociationRejection(.noSignerCertificate, "the file does not contain its signer's certificate")
        }
        guard leaf.isRSA || leaf.isOnUsualCurve else {
            throw AssociationRejection(.unsupportedKey, "the signer's key is neither RSA nor P-256, P-384 or P-521")
        }
        guard leaf.isGood(forHost: host.name) else {
            throw AssociationRejection(.anotherHost, "the signer's certificate is not for \(host)")
        }
        try checkChain(of: leaf, through: list, to: roots, time)
    }

    private static func checkChain(
        of leaf: borrowing OpenSSLCertificate, through list: OpaquePointer?, to roots: [[UInt8]], _ time: WallTime
    ) throws(AssociationRejection) {
        guard leaf.maySign else {
            throw AssociationRejection(.chainBroken, "the signer's key may not be used for signatures")
        }
        let verdict: CertificateChain.Verdict
        do throws(OpenSSLError) {
            let anchors = try copenssl_certificates_new().orError()
            defer { copenssl_certificates_free(anchors) }
            for der in roots {
                guard let root = OpenSSLCertificate(der: der) else { continue }
                guard copenssl_certificates_add(anchors, root.handle) > 0 else { throw OpenSSLError() }
            }
            verdict = try CertificateChain.check(
                leaf, through: list, to: anchors, purpose: X509_PURPOSE_SSL_SERVER,
                depth: CInt(AssociationLimits.certificates), at: time)
        } catch {
            throw AssociationRejection(.chainBroken, "the signer's certificate cannot be checked: \(error.reason)")
        }
        switch verdict {
        case .holds: return
        case .expired: throw AssociationRejection(.certificateExpired, "a certificate of the signature has expired")
        case .notYetValid:
            throw AssociationRejection(
                .certificateNotYetValid, "a certificate of the signature is not valid yet; is the clock right?")
        case .broken(let code, let reason):
            throw AssociationRejection(
                rejection(of: code), "the signer's certificate leads to no trusted root: \(reason)")
        }
    }

    private static func rejection(of code: CInt) -> AssociationRejection.Code {
        switch code {
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT,
            X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_CERT_UNTRUSTED:
            .noTrustedRoot
        case X509_V_ERR_CA_MD_TOO_WEAK, X509_V_ERR_EE_KEY_TOO_SMALL, X509_V_ERR_CA_KEY_TOO_SMALL: .weakChain
        default: .chainBroken
        }
    }
}

extension OpenSSLCertificate {
    /// The chain's check covers the length.
    fileprivate var isRSA: Bool {
        guard let key = X509_get0_pubkey(handle) else { return false }
        return EVP_PKEY_get_base_id(key) == NID_rsaEncryption
    }

    /// No explicit curve parameters.
    fileprivate var isOnUsualCurve: Bool {
        var algorithm: UnsafeMutablePointer<X509_ALGOR>?
        guard let key = X509_get_X509_PUBKEY(handle),
            X509_PUBKEY_get0_param(nil, nil, nil, &algorithm, key) == 1, let algorithm
        else { return false }
        var kind: OpaquePointer?
        var parameterType: CInt = 0
        var curve: UnsafeRawPointer?
        X509_ALGOR_get0(&kind, &parameterType, &curve, algorithm)
        guard OBJ_obj2nid(kind) == NID_X9_62_id_ecPublicKey, parameterType == V_ASN1_OBJECT, let curve else {
            return false
        }
        return [NID_X9_62_prime256v1, NID_secp384r1, NID_secp521r1].contains(OBJ_obj2nid(OpaquePointer(curve)))
    }

    /// RFC 6125: a subject alternative name, exact or with a star as its complete first label. Ignores the subject.
    fileprivate func isGood(forHost name: String) -> Bool {
        let flags = CUnsignedInt(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS)
        return X509_check_host(handle, name, name.utf8.count, flags, nil) == 1
    }
}
