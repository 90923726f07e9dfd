// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffApp
import Testing

@Suite struct IndexPathTests {
    @Test func rowsOfAListHaveTheirSections() {
        var path = IndexPath(row: 3, section: 1)
        #expect(path == IndexPath(item: 3, section: 1))
        #expect(path == [1, 3])
        #expect((path.section, path.row) == (1, 3))
        path.row = 4
        path.section = 2
        #expect(path == [2, 4])
        path.item = 5
        #expect((path.row, path.item) == (5, 5))
    }
}
