// SPDX-License-Identifier: Apache-2.0

import HandoffWire
import Testing

@testable import HandoffStrings

// Shows L10: six languages.
@Suite struct WordsTests {
    @Test func valuesComeIntoTheirPlaces() {
        let strings = LocalizedStrings(.english)
        #expect(strings(.continueLabel, "Letter", "laptop") == "Continue “Letter” from laptop")
        #expect(LocalizedStrings(.german)(.continueLabel, "Brief", "laptop") == "„Brief“ von laptop hier fortsetzen")
    }

    @Test func aValueThatLooksLikeAPlaceStaysAsItIs() {
        #expect(LocalizedStrings(.english)(.continueLabel, "$2 $1 $", "laptop") == "Continue “$2 $1 $” from laptop")
        #expect(LocalizedStrings(.english)(.phaseDocument, "a", "50") == "Fetching “a”, 50%")
    }

    @Test func placeholderWithoutValueIsKept() { #expect(LocalizedStrings(.english)(.joined) == "“$1” has joined.") }

    @Test func noLanguageIsEnglishUnderAnotherName() {
        for language in Language.allCases where language != .english {
            let same = Word.allCases.filter { LocalizedStrings(language)[$0] == LocalizedStrings(.english)[$0] }
            // Strings that two languages share: Code, Browser, Apps, No.
            #expect(same.count < 10, "\(language): \(same)")
        }
    }

    @Test(arguments: [
        (["LANG": "de_AT.UTF-8"], Language.german), (["LANG": "fr"], .french), (["LANG": "ja_JP.UTF-8"], .english),
        ([:], .english), (["LANG": "it_IT.UTF-8", "LC_MESSAGES": "es_MX.UTF-8"], .spanish),
        (["LC_ALL": "it_CH@euro", "LC_MESSAGES": "es_MX.UTF-8"], .italian),
        (["LANG": "en_US.UTF-8", "LANGUAGE": "ja:de_DE:fr"], .german),
        // In simplified characters only.
        (["LANG": "zh_CN.UTF-8"], .chinese), (["LANG": "zh"], .chinese), (["LANG": "zh-Hans-HK"], .chinese),
        (["LANG": "zh_TW.UTF-8"], .english), (["LANG": "zh_CN.UTF-8", "LANGUAGE": "zh_Hant:fr"], .french),
        // The C locale has no languages, whatever the other variables are.
        (["LANG": "C.UTF-8", "LANGUAGE": "de"], .english), (["LC_ALL": "C", "LANG": "de_DE"], .english),
    ])
    func theLanguageIsChosenAsGettextDoes(environment: [String: String], language: Language) {
        #expect(Language.preferred(in: environment) == language)
    }

    @Test func agesAreInWholeUnits() {
        let strings = LocalizedStrings(.english)
        let now = WallTime(milliseconds: 1_000_000_000)
        func age(_ duration: Duration) -> String { strings.age(of: now.advanced(by: .zero - duration), at: now) }
        #expect(age(.seconds(59)) == "just now")
        #expect(age(.seconds(60)) == "1 min ago")
        #expect(age(.seconds(3599)) == "59 min ago")
        #expect(age(.seconds(7300)) == "2 h ago")
        #expect(age(.seconds(86_400)) == "1 day ago")
        #expect(age(.seconds(86_400 * 2 - 1)) == "1 day ago")
        #expect(age(.seconds(86_400 * 2)) == "2 days ago")
        #expect(age(.seconds(-30)) == "just now")
        #expect(strings.age(of: WallTime(milliseconds: .min), at: now).hasSuffix("days ago"))
    }

    /// Every failure needs advice, except those listed here.
    @Test func aFailureSaysWhatToDo() {
        let strings = LocalizedStrings(.english)
        let helpless = Failure.Code.allCases.filter { strings.trouble(Failure($0, "a reason")).advice == nil }
        #expect(Set(helpless) == [.payloadTooLarge, .cancelled, .documentGone, .notAllowed])
        #expect(
            strings.trouble(Failure(.connectionUnavailable, "")).text
                == "The other device cannot be reached. Check that it is on and on the same network, then try again.")
        // Failures without a localized string show the daemon's text.
        #expect(strings.trouble(Failure(.limitReached, "too many")).text == "Something went wrong. too many")
    }
}
