// SPDX-License-Identifier: Apache-2.0

import HandoffIcons
import Testing

/// Which icons are drawn, and when again.
// Shows L17.
@Suite struct IconStoreTests {
    private let start = ContinuousClock.now
    private let picture = DrawnIcon(size: 16, pixels: [], png: [])

    private func drawing(_ number: Int) -> IconDrawing { IconDrawing(.name("\(number)"), emblem: nil, size: 16) }

    @Test func eachIconIsDrawnOnceAndAgainLater() {
        var store = IconStore()
        store.want([drawing(1), drawing(2), drawing(1)])
        #expect(store.begin(at: start) == [drawing(1), drawing(2)])
        #expect(store.begin(at: start) == nil)
        let isChanged = store.ended([drawing(1): picture, drawing(2): nil], at: start)
        #expect(isChanged)
        #expect(store[drawing(1)] == picture)
        #expect(store[drawing(2)] == nil)
        #expect(store.begin(at: start) == nil)
        // The theme may be another one.
        let later = start + IconStore.lifetime
        #expect(store.begin(at: later) == [drawing(1), drawing(2)])
        #expect(store[drawing(1)] == picture)
        let isChangedAgain = store.ended([drawing(1): picture], at: later)
        #expect(!isChangedAgain)
        // Those without a result are tried again.
        #expect(store.begin(at: later) == [drawing(2)])
    }

    @Test func withoutADisplayTheNextAttemptWaits() {
        var store = IconStore()
        store.want([drawing(1)])
        #expect(store.begin(at: start) == [drawing(1)])
        let isChanged = store.ended(nil, at: start)
        #expect(!isChanged)
        #expect(store.begin(at: start) == nil)
        #expect(store.begin(at: start + IconStore.pause) == [drawing(1)])
    }

    @Test func numberOfIconsIsLimited() {
        var store = IconStore()
        for first in [0, IconStore.count] {
            store.want((first..<first + 2 * IconStore.count).map(drawing))
            let batch = store.begin(at: start) ?? []
            #expect(batch == (first..<first + IconStore.count).map(drawing))
            _ = store.ended(Dictionary(uniqueKeysWithValues: batch.map { ($0, picture) }), at: start)
        }
        #expect(store[drawing(0)] == nil)
        #expect(store[drawing(IconStore.count)] == picture)
    }
}
