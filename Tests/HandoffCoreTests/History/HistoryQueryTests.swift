// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Testing

@testable import HandoffCore

/// Shows W05: golden queries, and hostile ones.
@Suite struct HistoryQueryTests {
    private func finds(_ query: String, in text: String) -> Bool {
        HistoryWords(title: text, others: []).place(of: HistoryQuery(query)) != nil
    }

    @Test(arguments: [
        ("Shopping list for Sunday", "shop sun"), ("Die Straße nach Köln", "strasse koln"),
        ("Réunion à l'hôtel", "hotel reunion"), ("El niño pequeño", "nino"), ("Łódź w maju", "lodz"),
        ("Список покупок", "покуп"), ("Ο δρόμος προς την Αθήνα", "αθηνα"), ("東京の喫茶店", "喫茶"),
        ("我们的咖啡馆", "咖啡"), ("서울의 커피숍", "커피"), ("ร้านกาแฟในกรุงเทพ", "กาแฟ"), ("שלום עולם", "עול"),
        ("قائمة التسوق", "التسوق"), ("हिन्दी की किताब", "किताब"), ("Tiếng Việt", "viet"), ("ｶﾌｪのメモ", "カフェ"),
        ("iPhoneで読む", "読む"), ("notes.txt – editor", "txt edit"), ("snake_case", "case"),
    ])
    func wordsAreFoundInManyLanguages(text: String, query: String) {
        #expect(finds(query, in: text), "\(FoldedText(text).words)")
    }

    @Test(arguments: [
        ("東京の喫茶店", "茶喫"), ("東京の喫茶店", "京店"), ("Shopping", "hop"), ("Shopping list", "listing"),
        ("Die Straße", "strassen"), ("Groceries", ""), ("Groceries", "?!"), ("", "groceries"),
    ])
    func otherWordsAreNotFound(text: String, query: String) { #expect(!finds(query, in: text)) }

    @Test func titleIsPreferredToOtherText() {
        let words = HistoryWords(title: "Pancake recipe", others: ["milk and eggs", "breakfast"])
        #expect(words.place(of: HistoryQuery("PANCAKE RECIPE")) == .wholeTitle)
        #expect(words.place(of: HistoryQuery("recipe pan")) == .title)
        #expect(words.place(of: HistoryQuery("pancake egg")) == .elsewhere)
        #expect(words.place(of: HistoryQuery("pancake flour")) == nil)
        #expect(words.place(of: HistoryQuery("東京")) == nil)
    }

    @Test(arguments: [
        ("\"", ""), ("milk AND eggs", "\"milk\" * AND \"and\" * AND \"eggs\" *"), ("title:milk", "\"title milk\" *"),
        ("a*", "\"a\" *"), ("mi\"lk", "\"mi lk\" *"), ("NEAR(milk eggs)", "\"near milk\" * AND \"eggs\" *"),
        ("🍎", ""), ("milk\u{0}eggs", "\"milk eggs\" *"), ("-milk ^eggs", "\"milk\" * AND \"eggs\" *"),
    ])
    func operatorsAreWords(query: String, expression: String) {
        #expect(HistoryQuery(query).expression == expression)
    }

    @Test func longQueryIsCut() {
        let query = HistoryQuery(String(repeating: "milk ", count: 2000))
        #expect(query.phrases.count == HistoryQuery.phrases)
        let word = HistoryQuery(String(repeating: "é", count: 10_000))
        #expect(word.phrases.flatMap { $0 }.joined().utf8.count <= HistoryQuery.bytes)
    }

    /// Such as the half of a surrogate pair from a program in another language.
    @Test func invalidTextIsSearchedAsItsReplacement() {
        let text = String(decoding: [0x6D, 0xED, 0xA0, 0x80, 0x6B], as: UTF8.self)
        #expect(HistoryQuery(text).phrases == [["m", "k"]])
    }
}
