// SPDX-License-Identifier: Apache-2.0

import HandoffStrings
import HandoffWire
import Testing

@testable import HandoffWindowModel

/// Codes and recovery keys that users type. Shows L10, T02.
@Suite struct TypedSecretTests {
    private let code = CheckedGroups.inviteCode.text([UInt8](repeating: 0x5A, count: 15))
    private let key = CheckedGroups.recoveryKey.text([UInt8](repeating: 0x5A, count: 20))

    private func mistake(_ text: String, _ form: CheckedGroups, isComplete: Bool = true) -> String? {
        TypedSecret(text, as: form).mistake(isComplete: isComplete, strings)
    }

    @Test func typoNamesItsGroupInTheLanguageOfTheUser() {
        var wrong = Array(code)
        wrong[0] = wrong[0] == "A" ? "B" : "A"
        let typed = TypedSecret(String(wrong), as: .inviteCode)
        #expect(typed.mistake(isComplete: false, strings) == "There is a typo in group 1 of 4.")
        #expect(
            typed.mistake(isComplete: true, LocalizedStrings(.german)) == "In Gruppe 1 von 4 ist ein Tippfehler.")
        #expect(typed.mistypedPlace == 0..<7)
    }

    @Test func unfinishedSecretIsNotAMistakeWhileTyping() {
        for (text, form) in [(code, CheckedGroups.inviteCode), (key, .recoveryKey)] {
            #expect(mistake(text, form) == nil)
            #expect(mistake("", form) == nil)
            #expect(mistake(String(text.dropLast()), form, isComplete: false) == nil)
            let short = "It has \(form.length) letters and digits; you typed \(form.length - 1)."
            #expect(mistake(String(text.dropLast()), form) == short)
            #expect(mistake(text + "A", form, isComplete: false) != nil)
        }
    }
}
