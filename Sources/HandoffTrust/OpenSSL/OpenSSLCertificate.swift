// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import Crypto
internal import HandoffWire

struct OpenSSLCertificate: ~Copyable {
    let handle: OpaquePointer

    init?(der: [UInt8]) {
        guard let handle = decoding(der, { d2i_X509(nil, $0, $1) }, free: { X509_free($0) }) else { return nil }
        self.handle = handle
    }

    init?(sharing handle: OpaquePointer?) {
        guard let handle, X509_up_ref(handle) == 1 else { return nil }
        self.handle = handle
    }

    deinit { X509_free(handle) }

    var der: [UInt8] {
        get throws(OpenSSLError) { try encoding { i2d_X509(handle, $0) } }
    }

    /// Also verifies the signature.
    var isSelfSigned: Bool {
        let answer = X509_self_signed(handle, 1) == 1
        ERR_clear_error()
        return answer
    }

    /// Nil for another key or encoding.
    var p256Key: [UInt8]? {
        guard let info = X509_get_X509_PUBKEY(handle), let spki = try? encoding({ i2d_X509_PUBKEY(info, $0) }),
            let key = try? P256.Signing.PublicKey(derRepresentation: spki), Array(key.derRepresentation) == spki
        else { return nil }
        return spki
    }

    var maySign: Bool { X509_get_key_usage(handle) & Self.digitalSignature != 0 }

    /// Nil unless there is exactly one.
    func subjectText(_ kind: CInt) -> String? {
        guard let name = X509_get_subject_name(handle) else { return nil }
        let index = X509_NAME_get_index_by_NID(name, kind, -1)
        guard index >= 0, X509_NAME_get_index_by_NID(name, kind, index) < 0,
            let entry = X509_NAME_get_entry(name, index), let data = X509_NAME_ENTRY_get_data(entry)
        else { return nil }
        var text: UnsafeMutablePointer<UInt8>?
        let count = ASN1_STRING_to_UTF8(&text, data)
        defer {
            CRYPTO_free(text, #file, #line)
            ERR_clear_error()
        }
        guard count >= 0, let text else { return nil }
        return String(validating: UnsafeBufferPointer(start: text, count: Int(count)), as: UTF8.self)
    }

    var validFrom: WallTime? { X509_get0_notBefore(handle).flatMap(WallTime.init(asn1:)) }
    var validUntil: WallTime? { X509_get0_notAfter(handle).flatMap(WallTime.init(asn1:)) }

    /// KU_DIGITAL_SIGNATURE of x509v3.h; RFC 5280, section 4.2.1.3.
    private static let digitalSignature: UInt32 = 0x80
}

extension WallTime {
    /// UTCTime or GeneralizedTime.
    init?(asn1 time: UnsafePointer<ASN1_TIME>) {
        guard let epoch = ASN1_TIME_set(nil, 0) else { return nil }
        defer { ASN1_TIME_free(epoch) }
        var days: CInt = 0
        var seconds: CInt = 0
        guard ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else {
            ERR_clear_error()
            return nil
        }
        self.init(milliseconds: (Int64(days) * 86_400 + Int64(seconds)) * 1000)
    }

    var seconds: Int { Int(milliseconds / 1000) }
}
