// SPDX-License-Identifier: Apache-2.0

internal import HandoffSystem
internal import HandoffWire
internal import NIOCore
internal import NIOSSL

extension Failure {
    /// `code`: if the error is not more specific.
    init(_ code: Code, explaining error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as IOError: self.init(code, SystemError(error.errnoCode, "").reason)
        case NIOSSLError.uncleanShutdown: self.init(code, "the connection ended without a closing message")
        case is NIOSSLError, is BoringSSLError: self.init(code, tls: "\(error)")
        default: self.init(code, "\(error)")
        }
    }

    /// BoringSSL's errors contain names, next to paths of its sources.
    private init(_ code: Code, tls text: String) {
        if text.contains("ALERT_CERTIFICATE_UNKNOWN") {
            self.init(.notAMember, "the other side does not know this device as a member of its account")
        } else if text.contains("PROTOCOL_VERSION") || text.contains("UNSUPPORTED_PROTOCOL") {
            self.init(.versionUnsupported, "the other side does not support TLS 1.3")
        } else if let name = text.split(separator: ":").last(where: { $0.contains("_") }) {
            self.init(code, "TLS: \(name.prefix { $0 != " " })")
        } else {
            self.init(code, "TLS failed")
        }
    }
}
