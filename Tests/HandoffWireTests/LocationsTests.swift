// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffWire

@Suite struct LocationsTests {
    private func root(_ flag: String? = nil, _ environment: [String: String] = [:]) -> String? {
        Locations(root: flag, environment: environment, workingDirectory: "/work", userID: 1000).root
    }

    @Test func aRelativeRootIsTakenFromTheWorkingDirectory() {
        #expect(root(nil, ["HANDOFF_ROOT": "laptop"]) == "/work/laptop")
        #expect(root(nil, ["HANDOFF_ROOT": "../laptop/"]) == "/work/../laptop")
        #expect(root("desktop") == "/work/desktop")
        #expect(root(nil, ["HANDOFF_ROOT": "/laptop"]) == "/laptop")
        #expect(root("/desktop", ["HANDOFF_ROOT": "laptop"]) == "/desktop")
    }

    @Test func flagOverridesVariableAndEmptyVariableIsIgnored() {
        #expect(root("desktop", ["HANDOFF_ROOT": "laptop"]) == "/work/desktop")
        #expect(root(nil, ["HANDOFF_ROOT": ""]) == nil)
        #expect(root() == nil)
    }

    @Test func aRootHasEverythingBelowIt() {
        let locations = Locations(root: "laptop", environment: [:], workingDirectory: "/work", userID: 1000)
        #expect(locations == Locations(root: "/work/laptop"))
        #expect(locations.socket == "/work/laptop/run/daemon.sock")
        #expect(locations.descriptors == "/work/laptop/run/files.sock")
        #expect(locations.apps == "/work/laptop/apps")
    }

    @Test func withoutARootThePlacesAreThoseOfTheUser() {
        let locations = Locations(
            environment: ["HOME": "/home/anna", "XDG_STATE_HOME": "state", "XDG_DATA_HOME": "/data"],
            workingDirectory: "/work", userID: 1000)
        // The XDG specification says to ignore relative paths.
        #expect(locations.state == "/home/anna/.local/state/handoff")
        #expect(locations.apps == "/data/handoff/apps")
        #expect(locations.runtime == "/run/user/1000/handoff")
    }
}
