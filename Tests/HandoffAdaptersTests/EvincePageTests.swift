// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffAdapters

struct EvincePageTests {
    // Shows M03.
    @Test func storedPageCountsFromZero() {
        #expect(FollowedEvince.page(in: "uri: file:///a.pdf\nattributes:\n  metadata::evince::page: 11\n") == 12)
    }

    @Test(arguments: [
        "", "attributes:\n", "metadata::evince::page: -1", "metadata::evince::page: x", "metadata::evince::page:",
        "metadata::evince::page: 99999999999999999999", "metadata::evince::page: 2000000000",
        "metadata::evince::page_label: 3",
    ])
    func otherAnswerHasNoPage(answer: String) { #expect(FollowedEvince.page(in: answer) == nil) }
}
