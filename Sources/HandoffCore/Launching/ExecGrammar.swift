// SPDX-License-Identifier: Apache-2.0

package enum ExecGrammar {
    package static func departure(of exec: String) -> String? {
        var rest = exec.utf8[...]
        var isProgram = true
        while true {
            rest = rest.drop { $0 == .blank }
            guard let first = rest.first else { return nil }
            let isQuoted = first == .quote
            let word: [UInt8]
            if isQuoted {
                switch quoted(&rest) {
                case .success(let bytes): word = bytes
                case .failure(let problem): return problem.reason
                }
                guard rest.first ?? .blank == .blank else {
                    return "quotes a part of an argument in Exec; quote the whole argument"
                }
            } else {
                word = Array(rest.prefix { $0 != .blank })
                rest = rest.dropFirst(word.count)
                if let reserved = word.first(where: UInt8.reserved.contains) {
                    return "has \(Character(UnicodeScalar(reserved))) in Exec outside of double quotes"
                }
            }
            if isProgram, word.contains(.equals) { return "has = in the program of Exec" }
            if let departure = departure(ofCodesIn: word, isQuoted: isQuoted) { return departure }
            isProgram = false
        }
    }

    /// `rest` begins with a quotation mark; afterwards it is behind the closing one.
    private static func quoted(_ rest: inout Substring.UTF8View) -> Result<[UInt8], EntryProblem> {
        var word: [UInt8] = []
        var isEscaped = false
        rest = rest.dropFirst()
        while let byte = rest.popFirst() {
            if isEscaped {
                guard UInt8.escapable.contains(byte) else {
                    return .failure(EntryProblem("has an unnecessary backslash before a character in Exec"))
                }
                word.append(byte)
                isEscaped = false
                continue
            }
            switch byte {
            case .quote: return .success(word)
            case .backslash: isEscaped = true
            case .dollar, .backtick:
                return .failure(
                    EntryProblem("has \(Character(UnicodeScalar(byte))) in Exec without a backslash before it"))
            default: word.append(byte)
            }
        }
        return .failure(EntryProblem("opens a double quote in Exec and does not close it"))
    }

    private static func departure(ofCodesIn word: [UInt8], isQuoted: Bool) -> String? {
        var rest = word[...]
        while let byte = rest.popFirst() {
            guard byte == .percent else { continue }
            guard let code = rest.popFirst() else { return "ends an argument of Exec with %" }
            if code == .percent { continue }
            let name = Character(UnicodeScalar(code))
            guard UInt8.codes.contains(code) else { return "has %\(name) in Exec, which is not a field code" }
            if isQuoted { return "has %\(name) in Exec between quotes" }
            if UInt8.codesOfWholeArguments.contains(code), word.count > 2 {
                return "has %\(name) in Exec as a part of an argument"
            }
        }
        return nil
    }
}

extension UInt8 {
    fileprivate static let blank = UInt8(ascii: " ")
    fileprivate static let quote = UInt8(ascii: "\"")
    fileprivate static let backslash = UInt8(ascii: "\\")
    fileprivate static let dollar = UInt8(ascii: "$")
    fileprivate static let backtick = UInt8(ascii: "`")
    fileprivate static let percent = UInt8(ascii: "%")
    fileprivate static let equals = UInt8(ascii: "=")
    /// Must be quoted.
    fileprivate static let reserved = Array("\t\n\"'\\><~|&;$*?#()`".utf8)
    /// Need a backslash between quotes.
    fileprivate static let escapable = Array("\"`$\\".utf8)
    /// Includes ignored codes of earlier versions.
    fileprivate static let codes = Array("fFuUickdDnNvm".utf8)
    fileprivate static let codesOfWholeArguments = Array("FUi".utf8)
}
