// SPDX-License-Identifier: Apache-2.0

package import HandoffWire

/// One value of `com.apple.developer.associated-domains`: `applinks:*.example.com?mode=developer`.
package struct AssociatedDomain: Hashable, Sendable, CustomStringConvertible {
    package enum Mode: String, Hashable, Sendable, CaseIterable, Comparable {
        /// The file may be on a private network, with its own certificate.
        case developer
        /// For devices that an organisation manages.
        case managed

        package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    package let service: AssociationService
    /// For a wildcard, the part after the star: its file covers the subdomains.
    package let host: WebHost
    /// Excludes `host` itself.
    package let isWildcard: Bool
    /// All are required.
    package let modes: Set<Mode>

    package init(entry: String) throws(DomainRejection) {
        func rejection(_ code: DomainRejection.Code, _ reason: String) -> DomainRejection {
            DomainRejection(code, entry: entry, reason)
        }
        guard let colon = entry.firstIndex(of: ":") else {
            throw rejection(
                .noService, "it is not of the form service:domain, such as activitycontinuation:example.com")
        }
        let name = String(entry[..<colon])
        guard !entry.unicodeScalars.contains(where: { $0.properties.isWhitespace }) else {
            throw rejection(.blank, "it contains a space; the service for Handoff is activitycontinuation, one word")
        }
        guard let service = AssociationService(rawValue: name) else {
            let known = AssociationService.allCases.map(\.rawValue).joined(separator: ", ")
            throw rejection(.unknownService, "\"\(name)\" is not one of the services \(known)")
        }
        self.service = service
        let parts = entry[entry.index(after: colon)...].split(
            separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let domain = parts[0]
        if domain.contains("/") {
            throw rejection(.path, "only the domain is allowed: no https://, no path and no slash at the end")
        }
        if domain.contains("#") { throw rejection(.path, "only the domain is allowed, without a fragment") }
        if domain.contains("@") { throw rejection(.userInfo, "it contains a user name; only the domain is allowed") }
        if !domain.hasPrefix("["), domain.split(separator: ":", omittingEmptySubsequences: false).count == 2 {
            throw rejection(.port, "it names a port; a claim is always for port 443")
        }
        isWildcard = domain.hasPrefix("*.")
        let host = isWildcard ? domain.dropFirst(2) : domain
        if host.contains("*") {
            throw rejection(.badWildcard, "a star is allowed only before the first dot, as in *.example.com")
        }
        do throws(HostRejection) {
            self.host = try WebHost(String(host))
        } catch {
            let ascii = error == .notASCII ? Punycode.host(String(host)) : nil
            throw rejection(.host(error), ascii.map { "the host is not in ASCII; write \($0)" } ?? "\(error)")
        }
        if isWildcard, service == .appClips {
            throw rejection(.badWildcard, "appclips has no wildcards")
        }
        guard parts.count > 1 else {
            modes = []
            return
        }
        switch parts[1] {
        case "mode=developer": modes = [.developer]
        case "mode=managed": modes = [.managed]
        case "mode=developer+managed", "mode=managed+developer": modes = [.developer, .managed]
        default:
            throw rejection(
                .badMode, "the question mark must be followed by mode=developer, mode=managed or mode=developer+managed"
            )
        }
    }

    package var description: String {
        let mode = modes.sorted().map(\.rawValue).joined(separator: "+")
        return "\(service):\(isWildcard ? "*." : "")\(host)\(mode.isEmpty ? "" : "?mode=\(mode)")"
    }

    package func covers(_ host: WebHost) -> Bool { isWildcard ? host.isBelow(self.host) : host == self.host }
}

package struct DomainRejection: CodedError {
    package enum Code: Hashable, Sendable {
        case noService
        case blank
        case unknownService
        case path
        case userInfo
        case port
        case badWildcard
        case badMode
        case host(HostRejection)
        case tooManyDomains
    }

    package let code: Code
    package let description: String

    init(_ code: Code, entry: String, _ reason: String) {
        self.code = code
        let shown = DisplayText(cleaning: entry, limit: Limits.nameCharacters * 2).text
        description = DisplayText(cleaning: "\"\(shown)\": \(reason)", limit: Limits.reasonCharacters).text
    }

    init(_ code: Code, _ reason: String) {
        self.code = code
        description = DisplayText(cleaning: reason, limit: Limits.reasonCharacters).text
    }
}
