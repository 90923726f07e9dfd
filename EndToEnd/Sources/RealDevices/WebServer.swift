// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// Serves this package's `Pages` folder over HTTP.
package struct WebServer {
    /// Ends with a slash.
    package private(set) var address: String

    package static let pages = Builds.root.appending(path: "EndToEnd/Pages")

    /// On this machine only.
    package init(on stage: Stage) throws {
        try self.init(host: "127.0.0.1", port: 0) { try stage.start($0, name: "web server") }
    }

    /// On a device of a network; the others there know it by `name`.
    package init(on device: Device, of network: Network, named name: String) throws {
        let address = try network.address(of: device.name)
        try network.call(device.name, name)
        try self.init(host: address, port: 80) { try device.start(program: $0, name: "web server") }
        self.address = "http://\(name)/"
    }

    private init(host: String, port: Int, _ start: ([String]) throws -> RunningProgram) throws {
        let server = try start([
            "python3", "-u", "-m", "http.server", "\(port)", "--bind", host, "--directory", Self.pages.path,
        ])
        let line = try server.output.next(starting: "Serving HTTP on")
        guard let address = line.firstMatch(of: /\((http:[^)]+)\)/)?.1 else { throw Unmet("the server says: \(line)") }
        self.address = String(address)
    }

    /// `name`: one of the folders there.
    package func page(_ name: String) -> String { "\(address)\(name)/" }
}
