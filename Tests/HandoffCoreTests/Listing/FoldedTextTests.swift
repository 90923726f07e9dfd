// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HandoffCore

/// Shows L11.
@Suite struct FoldedTextTests {
    @Test(arguments: [
        ("Éclair", "eclair"), ("ECLAIR", "éclair"), ("E\u{301}clair", "éclair"), ("Łódź", "lodz"), ("Ærø", "aero"),
        ("Straße", "STRASSE"), ("ΟΔΟΣ", "οδος"), ("ΟΔΌΣ", "οδός"), ("İstanbul", "istanbul"),
        ("Tiếng Việt", "tieng viet"),
        ("Ёлка", "елка"), ("ＬＩＮＵＸ", "linux"), ("ｶﾞｲﾄﾞ", "ガイド"), ("ﬁle", "file"), ("שָׁלוֹם", "שלום"),
    ])
    func equivalentSpellingsAreEqual(one: String, other: String) { #expect(FoldedText(one) == FoldedText(other)) }

    @Test(arguments: [("かき", "がぎ"), ("ca", "ga"), ("कि", "क"), ("", "a")])
    func otherLettersAreOthers(one: String, other: String) { #expect(FoldedText(one) != FoldedText(other)) }

    @Test(arguments: [
        ("Shopping list", "list"), ("Shopping list", "SHOP"), ("notes.txt – editor", "txt"), ("snake_case", "case"),
        ("C++ guide", "c++"), ("a + b", "+"), ("東京タワー", "タワー"), ("会議の議事録", "議事"), ("한국어를", "국어"),
        ("한국", "하"), ("ภาษาไทย", "ไทย"), ("iPhoneで読む", "読む"),
    ])
    func aWordIsFoundByItsBeginning(text: String, term: String) {
        #expect(FoldedText(text).hasWord(beginningWith: FoldedText(term)))
    }

    @Test(arguments: [("Shopping list", "hop"), ("Shopping", "shopping list"), ("list", ""), ("", "list")])
    func onlyTheBeginningOfAWordMatches(text: String, term: String) {
        #expect(!FoldedText(text).hasWord(beginningWith: FoldedText(term)))
    }
}
