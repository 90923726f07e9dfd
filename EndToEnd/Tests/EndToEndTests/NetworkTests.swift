// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// Tests of the test network.
@Suite(.serialized, .enabled(if: Network.missing == nil, "\(Network.missing ?? "")"))
struct NetworkTests {
    @Test func carriesAPacketUntilTheCableIsPulled() throws {
        try Stage.play { stage in
            let network = try Network(on: stage)
            let laptop = try network.connect("laptop")
            _ = try network.connect("desktop")
            #expect(try RunningProgram.run(laptop + ["ip", "route", "get", "10.77.0.2"]).output.contains("eth0"))
            try network.unplug("laptop")
            #expect(try RunningProgram.run(laptop + ["cat", "/sys/class/net/eth0/carrier"]).output == "0")
            try network.plug("laptop")
            #expect(try RunningProgram.run(laptop + ["cat", "/sys/class/net/eth0/carrier"]).output == "1")
        }
    }

    @Test func hasSitesThatWriteDownWhatTheyAreAsked() throws {
        try Stage.play { stage in
            let network = try Network(on: stage, .init(ipv6: false))
            let laptop = try Device("laptop", on: stage, network: network)
            let sites = try WebSites(on: Device("sites", on: stage, network: network), of: network)
            let authority = try CertificateAuthority("Roots", in: stage.folder.appending(path: "roots"))
            for name in ["roasters.example", "weather.example"] {
                try sites.add(name, authority.credentials(for: name))
            }
            try sites.start(for: [laptop])
            try sites.put(Data("coffee".utf8), at: "menu", of: "roasters.example")
            let ask = "import urllib.request as u; print(u.urlopen('https://roasters.example/menu').read().decode())"
            #expect(throws: Unmet.self) { try laptop.run("python3", "-c", ask) }
            try network.trust(authority.certificate, on: laptop.name)
            #expect(try laptop.output(of: "python3", "-c", ask) == ["coffee"])

            let questions = try sites.stop()
            #expect(questions.map(\.description) == ["https roasters.example: GET /menu HTTP/1.1"])
            let question = try #require(questions.first)
            #expect(question.name == "roasters.example" && question.fields["Host"] == "roasters.example")
            #expect(question.size == question.explainedSize && !question.hasCertificate)
        }
    }
}
