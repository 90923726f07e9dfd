// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// Web sites on the internet of a test, each with its own address: nginx, on a device of a network.
///
/// The other devices know the sites by name, and reach them through that device. All requests to the sites are logged.
package final class WebSites {
    /// A logged request.
    package struct Question: Hashable, Sendable, CustomStringConvertible {
        /// The site that received it, independent of the name requested.
        package let site: String
        /// `https` or `http`.
        package let scheme: String
        /// The name that TLS sent in clear.
        package let name: String
        /// The first line: `GET /a HTTP/1.1`.
        package let line: String
        /// Its header fields, as far as they are logged.
        package let fields: [String: String]
        /// All bytes received.
        package let size: Int
        /// Whether the client presented a certificate.
        package let hasCertificate: Bool

        package var description: String { "\(scheme) \(site): \(line)" }

        /// Bytes of the first line and the logged fields. Less than `size` if the request had anything else.
        package var explainedSize: Int {
            fields.reduce(line.utf8.count + 4) { $0 + $1.key.utf8.count + $1.value.utf8.count + 4 }
        }
    }

    private struct Site {
        let name: String
        let address: String
        let credentials: CertificateAuthority.Credentials
        let directives: [String]
    }

    private let device: Device
    private let network: Network
    private let folder: URL
    private var sites: [Site] = []
    private var server: RunningProgram?

    /// Public addresses, which belong to others in reality.
    private static let block = "93.184.216"

    /// `device`: serves the sites and nothing else.
    package init(on device: Device, of network: Network) throws {
        self.device = device
        self.network = network
        folder = device.root
        try network.route("\(Self.block).0/24", to: device.name)
    }

    /// A site of this name, which presents its certificate. `directives`: of nginx, for all responses. `address`: used
    /// instead of a public one.
    package func add(
        _ name: String, _ credentials: CertificateAuthority.Credentials, at address: String? = nil,
        _ directives: [String] = []
    ) throws {
        let address = address ?? "\(Self.block).\(sites.count + 1)"
        if address.hasPrefix(Self.block) { try network.add(address, to: device.name) }
        sites.append(Site(name: name, address: address, credentials: credentials, directives: directives))
    }

    /// Puts a file at this path of a site, or removes it.
    package func put(_ file: Data?, at path: String, of name: String) throws {
        let place = root(of: name).appending(path: path)
        guard let file else { return try FileManager.default.removeItem(at: place) }
        try FileManager.default.createDirectory(
            at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        try file.write(to: place, options: .atomic)
    }

    /// Settings of nginx for a site with viewable pages.
    package static let withPages = ["index index.html;", "types { text/html html; text/css css; image/svg+xml svg; }"]

    /// Copies all files of a folder to a site.
    package func put(filesOf folder: URL, of name: String) throws {
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            // A folder is not readable as a file.
            guard let file = try? Data(contentsOf: folder.appending(path: path)) else { continue }
            try put(file, at: path, of: name)
        }
    }

    package func address(of name: String) throws -> String {
        guard let site = sites.first(where: { $0.name == name }) else { throw Unmet("there is no \(name)") }
        return site.address
    }

    private func root(of name: String) -> URL { folder.appending(path: "sites/\(name)") }
    private var log: URL { folder.appending(path: "asked") }

    // MARK: The server

    /// Starts it, and makes all sites resolvable for other devices.
    package func start(for visitors: [Device]) throws {
        for site in sites {
            try FileManager.default.createDirectory(at: root(of: site.name), withIntermediateDirectories: true)
        }
        let settings = folder.appending(path: "nginx.conf")
        try Data(configuration.utf8).write(to: settings)
        let server = try device.start(
            program: ["/usr/sbin/nginx", "-e", "stderr", "-p", folder.path, "-c", settings.path], name: "nginx")
        // It listens before it logs this.
        try server.errors.next("how it waits for events") { $0.contains("event method") }
        self.server = server
        let lines = sites.map { "\($0.address) \($0.name)\n" }.joined()
        for visitor in visitors {
            try network.replace("hosts", of: visitor.name, with: Data("127.0.0.1 localhost\n\(lines)".utf8))
        }
    }

    /// Ends it, and returns all requests in the order of their responses.
    package func stop() throws -> [Question] {
        // SIGQUIT is the graceful end: nginx finishes open requests, and logs them.
        server?.send(SIGQUIT)
        try server?.waitForExit(within: .seconds(15))
        server = nil
        return try String(contentsOf: log, encoding: .utf8).split(separator: "\n").map { try Question(String($0)) }
    }

    private var configuration: String {
        """
        daemon off;
        user root;
        pid \(folder.path)/nginx.pid;
        error_log stderr notice;
        events {}
        http {
            log_format questions escape=json \(Question.format);
            access_log \(log.path) questions;
            client_body_temp_path \(folder.path)/body;
            proxy_temp_path \(folder.path)/proxy;
            fastcgi_temp_path \(folder.path)/fastcgi;
            uwsgi_temp_path \(folder.path)/uwsgi;
            scgi_temp_path \(folder.path)/scgi;
            default_type application/json;
            ssl_protocols TLSv1.2 TLSv1.3;
            ssl_verify_client optional_no_ca;
        \(sites.map(block(of:)).joined(separator: "\n"))
        }

        """
    }

    private func block(of site: Site) -> String {
        """
            server {
                listen \(site.address):443 ssl;
                listen \(site.address):80;
                server_name \(site.name);
                ssl_certificate \(site.credentials.certificate.path);
                ssl_certificate_key \(site.credentials.key.path);
                root \(root(of: site.name).path);
        \(site.directives.map { "        \($0)\n" }.joined())    }
        """
    }
}

extension WebSites.Question {
    /// Fields that a request may have, and those that would identify the user, by nginx's names.
    private static let known = [
        "Host", "User-Agent", "Accept", "Connection", "If-None-Match", "Cookie", "Referer", "Authorization", "From",
        "Accept-Language", "Accept-Encoding",
    ]

    /// One line of JSON.
    fileprivate static var format: String {
        let fields = known.map { field in
            let variable = field.lowercased().replacing("-", with: "_")
            return #"  '"\#(field)":"$http_\#(variable)",'"#
        }
        let rest = [
            #"  '"site":"$server_name","scheme":"$scheme","name":"$ssl_server_name","line":"$request",'"#,
            #"  '"size":$request_length,"certificate":"$ssl_client_verify"}'"#,
        ]
        return "'{'\n" + (fields + rest).joined(separator: "\n")
    }

    fileprivate init(_ text: String) throws {
        let json = try JSON(text: text)
        func value(_ key: String) -> String { json[key]?.string ?? "" }
        site = value("site")
        scheme = value("scheme")
        name = value("name")
        line = value("line")
        fields = Dictionary(uniqueKeysWithValues: Self.known.map { ($0, value($0)) }).filter { !$0.value.isEmpty }
        size = Int(json["size"]?.number ?? 0)
        hasCertificate = !["", "NONE"].contains(value("certificate"))
    }
}
