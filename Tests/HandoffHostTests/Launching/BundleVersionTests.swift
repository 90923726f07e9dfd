// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import Testing

@testable import HandoffHost

@Suite struct BundleVersionTests {
    @Test(arguments: [
        ("1.0", "2.0"), ("1.9", "1.10"), ("1.0", "1.0.1"), ("2.0b1", "2.0"), ("2.0b1", "2.0b2"), ("", "0.1"),
        ("99999999999999999999", "100000000000000000000"), ("1.x", "1.1"), ("draft", "1"),
    ])
    func olderComesFirst(older: String, newer: String) {
        #expect(BundleVersion(older) < BundleVersion(newer))
        #expect(!(BundleVersion(newer) < BundleVersion(older)))
        #expect(BundleVersion(older) != BundleVersion(newer))
    }

    @Test(arguments: [("1", "1.0"), ("1.0", "1.0.0"), ("1.02", "1.2"), ("", "0"), ("1.0b", "1.0b")])
    func writtenDifferentlyIsTheSame(left: String, right: String) {
        #expect(BundleVersion(left) == BundleVersion(right))
        #expect(!(BundleVersion(left) < BundleVersion(right)))
    }
}
