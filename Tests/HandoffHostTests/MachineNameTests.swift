// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffHost

@Suite struct MachineNameTests {
    private let folder = TemporaryDirectory()

    private func name(host: String) -> String {
        MachineName(machineInfo: folder.path("machine-info"), firmware: folder.path("dmi"), hostName: host).text
    }

    @Test(arguments: [
        ("PRETTY_HOSTNAME=\"Anna's Laptop\"\n", "Anna's Laptop"),
        ("CHASSIS=laptop\nPRETTY_HOSTNAME=εἴδωλον", "εἴδωλον"),
        ("PRETTY_HOSTNAME='der Große'", "der Große"), (#"PRETTY_HOSTNAME="5\" \$ \\ ""#, #"5" $ \ "#),
        ("PRETTY_HOSTNAME=\n", "desk"), ("PRETTY_HOSTNAME=\"\"\n", "desk"), ("#PRETTY_HOSTNAME=x", "desk"),
        ("PRETTY_HOSTNAME=\"", "\""),
    ]) func theNameThatThePersonGaveTheMachineComesFirst(text: String, expected: String) throws {
        try folder.file("machine-info", text)
        #expect(name(host: "desk.example.org") == expected)
    }

    @Test(arguments: [
        ("desk", "desk"), ("desk.example.org", "desk"), ("localhost.localdomain", "ThinkPad X1 Carbon Gen 9"),
        ("localhost", "ThinkPad X1 Carbon Gen 9"), ("", "ThinkPad X1 Carbon Gen 9"),
        ("Fedora", "ThinkPad X1 Carbon Gen 9"),
    ]) func aHostWithoutANameOfItsOwnIsCalledByItsModel(host: String, expected: String) throws {
        try folder.folder("dmi")
        try folder.file("dmi/product_family", "ThinkPad X1 Carbon Gen 9\n")
        try folder.file("dmi/product_name", "20XW004AGE\n")
        #expect(name(host: host) == expected)
    }

    @Test(arguments: [("To Be Filled By O.E.M.", "Latitude"), ("Default string", "Latitude"), ("123-45", "Latitude")])
    func placeholderNamesOfMakersAreIgnored(family: String, expected: String) throws {
        try folder.folder("dmi")
        try folder.file("dmi/product_family", family)
        try folder.file("dmi/product_name", "Latitude\n")
        #expect(name(host: "localhost") == expected)
        try folder.file("dmi/product_name", "System Product Name\n")
        #expect(name(host: "localhost.localdomain") == "localhost")
        #expect(name(host: "") == "linux")
    }
}
