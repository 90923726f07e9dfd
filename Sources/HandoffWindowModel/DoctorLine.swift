// SPDX-License-Identifier: Apache-2.0

package import HandoffStrings
internal import HandoffWire

/// A finding of `handoff doctor`, in English.
package struct DoctorLine: Hashable, Sendable {
    package enum Result: String, Sendable {
        case failed
        case unknown
        case passed
    }

    package let result: Result
    package let seen: String
    /// Empty: nothing to do.
    package let advice: String

    package init(_ result: Result, _ seen: String, advice: String = "") {
        (self.result, self.seen, self.advice) = (result, seen, advice)
    }

    /// From the output of `handoff doctor --json`, the failed ones first. Nil: it is not such an output.
    package static func read(_ json: String) -> [DoctorLine]? {
        guard case .list(let findings)? = try? JSONReader.read(Array(json.utf8)) else { return nil }
        var lines: [DoctorLine] = []
        for finding in findings {
            guard case .string(let word)? = finding["result"], let result = Result(rawValue: word),
                case .string(let seen)? = finding["seen"]
            else { return nil }
            let advice = if case .string(let advice)? = finding["advice"] { advice } else { "" }
            lines.append(DoctorLine(result, seen, advice: advice))
        }
        return [Result.failed, .unknown, .passed].flatMap { result in lines.filter { $0.result == result } }
    }

    package func label(_ strings: LocalizedStrings) -> String {
        switch result {
        case .failed: strings[.checkFailed]
        case .unknown: strings[.checkUnknown]
        case .passed: strings[.checkPassed]
        }
    }

    package var icon: Icon {
        switch result {
        case .failed: .warning
        case .unknown: .question
        case .passed: .passed
        }
    }
}
