// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffCore

@Suite struct NearestNameTests {
    @Test func slipsAreCounted() {
        func slips(_ word: String, _ name: String) -> Int { NearestName.slips(Array(word), Array(name)) }
        #expect(slips("", "") == 0 && slips("", "list") == 4 && slips("list", "") == 4)
        #expect(slips("list", "list") == 0 && slips("lsit", "list") == 1 && slips("lis", "list") == 1)
        #expect(slips("lisst", "list") == 1 && slips("lost", "list") == 1 && slips("ab", "list") == 4)
    }

    @Test func theNearestIsTakenIfItIsNear() {
        #expect(NearestName.to("nmae", in: ["kind", "name"]) == "name")
        #expect(NearestName.to("colour", in: ["kind", "name"]) == nil)
    }

    @Test func aWordThatIsTooLongIsComparedWithNothing() {
        let name = String(repeating: "a", count: NearestName.longest)
        #expect(NearestName.to(name, in: [name]) == name)
        #expect(NearestName.to(name + "a", in: [name]) == nil)
    }
}
