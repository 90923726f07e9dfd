// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffSystem
import HandoffWire

/// A file or folder in a checkout of a Git repository, which other devices may have in another folder.
package struct CheckoutPlace: Hashable, Sendable {
    static let maximumRemoteBytes = 1000
    static let answerTime = Duration.seconds(1)
    /// SSH names all settings of a host.
    static let answerBytes = 64 << 10

    /// The host and path of the remote `origin`: one device may reach it over SSH, another over HTTPS. Without user name,
    /// password and port.
    let remote: String
    /// Nil: the checkout's own folder.
    let path: DocumentPath?

    /// `remote` is from another device. Nil: too long, or empty.
    init?(remote: String, path: DocumentPath?) {
        guard !remote.isEmpty, remote.utf8.count <= Self.maximumRemoteBytes else { return nil }
        (self.remote, self.path) = (remote, path)
    }

    /// Blocks. Nil: not in a checkout below the home folder.
    init?(of path: DocumentPath, isFolder: Bool, in home: AbsolutePath, environment: [String: String]) {
        let ancestors = sequence(first: isFolder ? path : path.parent) { $0?.parent }.prefix { $0 != nil }
        let checkout = ancestors.lazy.compactMap { $0.flatMap { try? home.appending($0) } }.first(
            where: Self.isCheckout)
        guard let checkout, let remote = Self.remote(of: checkout, environment) else { return nil }
        self.init(remote: remote, path: (try? home.appending(path))?.path(in: checkout))
    }

    static let marker = Array(".git".utf8)

    private static func isCheckout(_ folder: AbsolutePath) -> Bool {
        guard let name = try? DocumentPath(bytes: marker), let path = try? folder.appending(name) else { return false }
        return access(path.bytes.cString, F_OK) == 0
    }

    /// Blocks. Git and SSH read their configurations, and make no connection.
    static func remote(of checkout: AbsolutePath, _ environment: [String: String]) -> String? {
        guard let folder = String(validating: checkout.bytes, as: UTF8.self) else { return nil }
        // They would choose another repository.
        let environment = environment.filter { !$0.key.hasPrefix("GIT_") }
        func answer(_ program: String, _ arguments: [String]) -> [Substring] {
            let output = SpawnedProcess.output(
                of: program, arguments, environment: environment, limit: answerBytes, within: answerTime)
            return String(decoding: output ?? [], as: UTF8.self).split(whereSeparator: \.isNewline)
        }
        let question = ["-C", folder, "ls-remote", "--get-url"]
        var address = answer("git", question + ["origin"]).first
        // Git repeats the name of a remote that it lacks; without a name, it takes the only remote.
        if address == "origin" { address = answer("git", question).first }
        return address.flatMap { address in
            remote(String(address)) { host in
                guard isName(host) else { return nil }
                return answer("ssh", ["-G", "--", host]).first { $0.hasPrefix("hostname ") }.map {
                    String($0.dropFirst(9))
                }
            }
        }
    }

    /// A checkout's author wrote it, and the user's configuration of SSH may give it to a shell.
    private static func isName(_ host: String) -> Bool {
        host.first != "-" && host.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || "._-".contains($0) }
    }

    /// Serve SSH at the port of HTTPS, for networks that block others.
    private static let gateways = [
        "ssh.github.com": "github.com", "altssh.gitlab.com": "gitlab.com", "altssh.bitbucket.org": "bitbucket.org",
    ]

    /// `address`: `https://user@host:port/path.git`, or `user@host:path`. `resolve`: the host behind the user's alias in SSH.
    /// Nil: a folder of this device, or no address.
    static func remote(_ address: String, resolve: (String) -> String? = { _ in nil }) -> String? {
        let address = address.prefix { !$0.isNewline }
        let parts: (host: Substring, path: Substring)
        var isSSH = true
        if let scheme = address.firstRange(of: "://") {
            guard ["https", "http", "ssh", "git", "git+ssh"].contains(address[..<scheme.lowerBound]) else { return nil }
            isSSH = address[..<scheme.lowerBound].hasSuffix("ssh")
            let behind = address[scheme.upperBound...]
            let authority = behind.prefix { $0 != "/" }
            let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
            let port = host.last == "]" ? nil : host.lastIndex(of: ":")
            parts = (port.map { host[..<$0] } ?? host, behind[authority.endIndex...])
        } else {
            guard let colon = address.firstIndex(of: ":"), !address[..<colon].contains("/") else { return nil }
            let host = address[..<colon].split(separator: "@", omittingEmptySubsequences: false).last ?? ""
            parts = (host, address[address.index(after: colon)...])
        }
        var path = parts.path.drop { $0 == "/" }
        while path.last == "/" { path.removeLast() }
        if path.hasSuffix(".git") { path.removeLast(4) }
        guard !parts.host.isEmpty, !path.isEmpty else { return nil }
        let host = (isSSH ? resolve(String(parts.host)) ?? String(parts.host) : String(parts.host)).lowercased()
        let remote = "\(gateways[host] ?? host)/\(path)"
        return remote.utf8.count <= maximumRemoteBytes ? remote : nil
    }
}
