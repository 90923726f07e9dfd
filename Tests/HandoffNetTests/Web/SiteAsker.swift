// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffCore
import HandoffWire
import NIOCore
import NIOPosix

@testable import HandoffHost

/// Sends requests to a test server like the daemon would, with the program built next to the tests.
struct SiteAsker: Sendable {
    static let host = "shop.example.com"

    static let program =
        (Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent().path ?? ".") + "/"
        + SiteProgram.name

    var port = 443
    /// DER.
    var roots: [[UInt8]] = []
    var time: Duration = .seconds(10)
    /// The addresses of the name; empty: the system's lookup.
    var addresses = ["127.0.0.1"]
    var path = SiteAsker.program

    var surroundings: SiteProgram.Surroundings {
        SiteProgram.Surroundings(
            port: UInt16(port), time: time, addresses: addresses, roots: roots.flatMap { Array(Self.pem($0).utf8) })
    }

    static func pem(_ der: [UInt8]) -> String {
        "-----BEGIN CERTIFICATE-----\n\(Data(der).base64EncodedString(options: .lineLength64Characters))\n"
            + "-----END CERTIFICATE-----\n"
    }

    func ask(
        _ place: SitePlace = .wellKnown, reach: Site.Reach = .anywhere, etag: String? = nil
    ) async throws -> Result<SiteAnswer, SiteFailure> {
        let site = Site(try WebHost(Self.host), reach: reach)
        let fetch = SiteFetch(id: 1, site: site, place: place, etag: etag)
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let answered = loop.makePromise(of: Result<SiteAnswer, SiteFailure>.self)
        let program = try await loop.submit {
            let program = SiteProgram(path: path, in: surroundings) { loop.execute($0) }
            var hasReturned = false
            program.fetch(fetch) { result in
                precondition(hasReturned, "answered before it returned")
                answered.succeed(result)
            }
            hasReturned = true
            return NIOLoopBound(program, eventLoop: loop)
        }.get()
        let result = try await answered.futureResult.get()
        loop.execute { program.value.stop() }
        return result
    }
}
