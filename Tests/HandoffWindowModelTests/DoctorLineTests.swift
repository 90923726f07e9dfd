// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffWindowModel

/// Shows G01: the window reads what `handoff doctor --json` prints.
@Suite struct DoctorLineTests {
    @Test func failedFindingsAreFirst() {
        let json = #"""
            [{"check":"daemon","result":"passed","seen":"handoffd runs"},
             {"check":"browser","result":"unknown","seen":"no browser","advice":"run: handoff browser status"},
             {"check":"policy","result":"failed","seen":"offering is off","advice":"run: handoff policy on"}]
            """#
        #expect(
            DoctorLine.read(json) == [
                DoctorLine(.failed, "offering is off", advice: "run: handoff policy on"),
                DoctorLine(.unknown, "no browser", advice: "run: handoff browser status"),
                DoctorLine(.passed, "handoffd runs"),
            ])
    }

    @Test(arguments: ["", "{}", "[1]", #"[{"result":"maybe","seen":"x"}]"#, #"[{"result":"failed"}]"#, "[[[[", "\u{0}"])
    func otherOutputIsRefused(json: String) { #expect(DoctorLine.read(json) == nil) }

    @Test func eachResultHasItsIcon() {
        let icons = [DoctorLine.Result.failed, .unknown, .passed].map { DoctorLine($0, "").icon }
        #expect(Set(icons).count == 3)
    }
}
