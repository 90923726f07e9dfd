// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import HandoffWire

/// CMS SignedData (RFC 5652), detached, with signed attributes and one signer.
enum CMSSignature {
    struct Signer {
        let team: TeamCertificate
        let signedAt: WallTime
    }

    static func check(
        _ signature: [UInt8], over content: [UInt8], at time: WallTime
    ) throws(SignatureRejection) -> Signer {
        guard signature.count <= BundleLimits.signatureBytes else { throw .tooLarge }
        guard
            let message = decoding(
                signature, { d2i_CMS_ContentInfo(nil, $0, $1) }, free: { CMS_ContentInfo_free($0) })
        else { throw .notCMS }
        defer {
            CMS_ContentInfo_free(message)
            ERR_clear_error()
        }
        guard OBJ_obj2nid(CMS_get0_type(message)) == NID_pkcs7_signed else { throw .notCMS }
        guard CMS_is_detached(message) == 1 else { throw .notDetached }
        let signers = copenssl_signer_count(message)
        guard signers == 1, let signer = copenssl_signer(message, 0) else {
            throw .notOneSigner(count: max(0, Int(signers)))
        }
        try checkAlgorithms(of: signer)
        let team = try team(of: signer, in: message, at: time)
        let signedAt = try signingTime(of: signer)
        guard verify(message, over: content) else { throw .doesNotMatch }
        return Signer(team: team, signedAt: signedAt)
    }

    /// ECDSA, with the signer's digest.
    private static func checkAlgorithms(of signer: OpaquePointer) throws(SignatureRejection) {
        let (digest, signature) = algorithms(of: signer)
        let expected: CInt? =
            switch digest {
            case NID_sha256: NID_ecdsa_with_SHA256
            case NID_sha384: NID_ecdsa_with_SHA384
            case NID_sha512: NID_ecdsa_with_SHA512
            default: nil
            }
        guard let expected else { throw .weakDigest }
        guard signature == expected else { throw .notECDSA }
    }

    static func algorithms(of signer: OpaquePointer) -> (digest: CInt, signature: CInt) {
        var digest: UnsafeMutablePointer<X509_ALGOR>?
        var signature: UnsafeMutablePointer<X509_ALGOR>?
        CMS_SignerInfo_get0_algs(signer, nil, nil, &digest, &signature)
        return (identifier(digest), identifier(signature))
    }

    private static func identifier(_ algorithm: UnsafeMutablePointer<X509_ALGOR>?) -> CInt {
        guard let algorithm else { return NID_undef }
        var object: OpaquePointer?
        X509_ALGOR_get0(&object, nil, nil, algorithm)
        return OBJ_obj2nid(object)
    }

    private static func team(
        of signer: OpaquePointer, in message: OpaquePointer, at time: WallTime
    ) throws(SignatureRejection) -> TeamCertificate {
        let list = CMS_get1_certs(message)
        defer { copenssl_certificates_free(list) }
        let count = list == nil ? 0 : max(0, copenssl_certificate_count(list))
        guard count <= BundleLimits.certificates else { throw .tooManyCertificates(count: Int(count)) }
        let handles = (0..<count).compactMap { copenssl_certificate(list, $0) }
        let own = handles.first { CMS_SignerInfo_cert_cmp(signer, $0) == 0 }
        guard let leaf = OpenSSLCertificate(sharing: own) else { throw .noSignerCertificate }
        guard leaf.p256Key != nil else { throw .notP256 }
        guard leaf.maySign else { throw .mayNotSign }
        if leaf.isSelfSigned {
            let team = try teamCertificate(leaf)
            try checkChain(leaf, issuedBy: leaf, at: time)
            return team
        }
        let issuer = handles.first { X509_check_issued($0, leaf.handle) == X509_V_OK && $0 != own }
        guard let anchor = OpenSSLCertificate(sharing: issuer) else { throw .leafWithoutChain }
        let team = try teamCertificate(anchor)
        try checkChain(leaf, issuedBy: anchor, at: time)
        guard (try? leaf.teamID) == team.id else { throw .developerOfAnotherTeam }
        return team
    }

    private static func teamCertificate(
        _ certificate: borrowing OpenSSLCertificate
    ) throws(SignatureRejection) -> TeamCertificate {
        do {
            return try TeamCertificate(certificate, der: try certificate.der)
        } catch {
            throw .certificate(error as? TeamRejection ?? .notACertificate)
        }
    }

    private static func checkChain(
        _ leaf: borrowing OpenSSLCertificate, issuedBy anchor: borrowing OpenSSLCertificate, at time: WallTime
    ) throws(SignatureRejection) {
        let verdict: CertificateChain.Verdict
        do throws(OpenSSLError) {
            verdict = try CertificateChain.check(leaf, issuedBy: anchor, at: time)
        } catch {
            throw .certificateBroken(error.reason)
        }
        switch verdict {
        case .holds: return
        case .expired: throw .certificateExpired
        case .notYetValid: throw .certificateNotYetValid
        case .broken(_, let reason): throw .certificateBroken(reason)
        }
    }

    /// Signed attributes are required: without them, their encoding could pass for content.
    private static func signingTime(of signer: OpaquePointer) throws(SignatureRejection) -> WallTime {
        guard let attribute = OBJ_nid2obj(NID_pkcs9_signingTime) else { throw .noSigningTime }
        // -3: exactly one attribute and value.
        for kind in [V_ASN1_UTCTIME, V_ASN1_GENERALIZEDTIME] {
            guard let value = CMS_signed_get0_data_by_OBJ(signer, attribute, -3, kind) else { continue }
            guard let time = WallTime(asn1: value.assumingMemoryBound(to: ASN1_TIME.self)) else { break }
            return time
        }
        throw .noSigningTime
    }

    /// The certificates are checked before.
    private static func verify(_ message: OpaquePointer, over content: [UInt8]) -> Bool {
        content.withUnsafeBytes { bytes in
            guard let input = BIO_new_mem_buf(bytes.baseAddress, CInt(bytes.count)) else { return false }
            defer { BIO_free(input) }
            let flags = CUnsignedInt(CMS_BINARY | CMS_NO_SIGNER_CERT_VERIFY)
            return CMS_verify(message, nil, nil, input, nil, flags) == 1
        }
    }
}
