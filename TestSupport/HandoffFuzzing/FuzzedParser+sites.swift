// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
import HandoffDaemon
internal import HandoffSiteMessages
internal import HandoffWire

extension FuzzedParser {
    static let sites = [keptSite, siteHost, siteReport]

    private static let keptSite = FuzzedParser("kept-site") { bytes in
        try roundTrip(bytes, parse: { try KeptSite(encoded: $0) }, write: { $0.encoded() })
    }

    /// From a program that its input may have compromised.
    private static let siteReport = FuzzedParser("site-report") { bytes in
        try roundTrip(bytes, parse: { try taken(SiteReport($0)) }, write: \.encoded)
    }

    private struct Refused: Error {}

    private static func taken(_ report: SiteReport?) throws -> SiteReport {
        guard let report else { throw Refused() }
        return report
    }

    /// Used in a look-up, a request line and a line of a file.
    private static let siteHost = FuzzedParser("site-host") { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        let verdict = try roundTrip(text, parse: { try WebHost($0) }, write: \.name)
        guard verdict == .taken else { return .refused }
        let isPlain = text.utf8.allSatisfy { $0 > 0x2C && $0 < 0x7B && $0 != 0x2F && $0 != 0x3A && $0 != 0x40 }
        try promise(isPlain && text.contains(".") && text.utf8.count <= Limits.hostBytes, "a host: \(text)")
        try promise(!(text.utf8.last ?? 0x2E == 0x2E), "a host that ends with a dot: \(text)")
        return .taken
    }
}
