// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffCore

@Suite struct SteadyListTests {
    private func text(_ list: SteadyList<String>) -> String {
        list.lines.map { $0.isGone ? "(\($0.id))" : $0.id }.joined(separator: " ")
    }

    private func opened(_ ids: [String], showing limit: Int = 5) -> SteadyList<String> {
        var list = SteadyList<String>(showing: limit)
        list.offered(ids)
        list.pointed(true)
        return list
    }

    // Shows G05.
    @Test func rowsStayPutUnderThePointer() {
        var list = opened(["mail", "map"])
        list.offered(["page", "map", "mail"])
        #expect(text(list) == "mail map page")
    }

    // Shows G05.
    @Test func removedRowKeepsItsPlace() {
        var list = opened(["mail", "map", "page"])
        list.offered(["page", "mail"])
        #expect(text(list) == "mail (map) page")
        list.offered(["map", "page", "mail"])
        #expect(text(list) == "mail map page")
    }

    // Shows G05.
    @Test func orderUpdatesWhenPointerLeaves() {
        var list = opened(["mail", "map"])
        list.offered(["page", "mail"])
        list.pointed(false)
        #expect(text(list) == "page mail")
        list.offered(["mail", "page"])
        #expect(text(list) == "mail page")
    }

    /// An item displaced by newer ones still exists.
    @Test func onlyTheFirstAreShownAndWhatIsPushedOutIsNotGone() {
        var list = opened(["a", "b", "c"], showing: 2)
        #expect(text(list) == "a b")
        list.offered(["d", "a", "b", "c"])
        #expect(text(list) == "a b d")
        list.pointed(false)
        #expect(text(list) == "d a")
    }

    /// A device that offers and withdraws continually must not make the list longer.
    @Test func whilePointedAtItGrowsToTwiceItsLength() {
        var list = opened(["a", "b"], showing: 2)
        for index in 0..<100 { list.offered(["new \(index)"]) }
        #expect(text(list) == "(a) (b) (new 0) (new 1)")
        list.pointed(false)
        #expect(text(list) == "new 99")
    }

    @Test func anIdThatComesTwiceIsOneLine() {
        var list = SteadyList<String>()
        list.offered(["a", "a", "b"])
        #expect(text(list) == "a b")
        list.pointed(true)
        list.offered(["c", "c", "a"])
        #expect(text(list) == "a (b) c")
    }

    @Test func aListSaysItsLength() {
        var list = SteadyList<Int>()
        list.offered(Array(0..<SteadyListLimits.lines + 1))
        #expect(list.lines.count == SteadyListLimits.lines)
    }
}
