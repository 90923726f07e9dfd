// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import HandoffWire

extension CMSSignature {
    /// Detached, ECDSA with SHA-256.
    static func make(over content: [UInt8], by key: TeamKey, at time: WallTime) throws(OpenSSLError) -> [UInt8] {
        ERR_clear_error()
        guard let first = key.certificates.first, let certificate = OpenSSLCertificate(der: first) else {
            throw OpenSSLError()
        }
        let privateKey = try decoding(key.der, { d2i_AutoPrivateKey(nil, $0, $1) }, free: { EVP_PKEY_free($0) })
            .orError()
        defer { EVP_PKEY_free(privateKey) }
        let flags = CUnsignedInt(CMS_BINARY | CMS_DETACHED | CMS_PARTIAL | CMS_NOSMIMECAP)
        let message = try CMS_sign(nil, nil, nil, nil, flags).orError()
        defer { CMS_ContentInfo_free(message) }
        let signer = try CMS_add1_signer(message, certificate.handle, privateKey, EVP_sha256(), flags).orError()
        try addSigningTime(time, to: signer)
        for der in key.certificates.dropFirst() {
            guard let issuer = OpenSSLCertificate(der: der), CMS_add1_cert(message, issuer.handle) == 1 else {
                throw OpenSSLError()
            }
        }
        let isFinal = content.withUnsafeBytes { bytes in
            guard let input = BIO_new_mem_buf(bytes.baseAddress, CInt(bytes.count)) else { return false }
            defer { BIO_free(input) }
            return CMS_final(message, input, nil, CUnsignedInt(CMS_BINARY | CMS_DETACHED)) == 1
        }
        guard isFinal else { throw OpenSSLError() }
        return try encoding { i2d_CMS_ContentInfo(message, $0) }
    }

    /// The default is the current time.
    private static func addSigningTime(_ time: WallTime, to signer: OpaquePointer) throws(OpenSSLError) {
        guard let value = ASN1_TIME_set(nil, time.seconds) else { throw OpenSSLError() }
        defer { ASN1_TIME_free(value) }
        let kind = ASN1_STRING_type(value)
        guard CMS_signed_add1_attr_by_NID(signer, NID_pkcs9_signingTime, kind, value, -1) == 1 else {
            throw OpenSSLError()
        }
    }
}
