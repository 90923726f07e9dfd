// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// A wrong type or value. The reason is for display.
struct Unusable: Error {
    let reason: String
}

extension JSONTree {
    /// Null equals a missing key.
    func value(for key: ExactText) -> JSONTree? {
        let value = self[key]
        return value == .null ? nil : value
    }

    func object(_ place: @autoclosure () -> String) throws(Unusable) -> [Member] {
        guard case .object(let members) = self else { throw unusable(place(), "an object") }
        return members
    }

    func list(_ place: @autoclosure () -> String) throws(Unusable) -> [JSONTree] {
        guard case .list(let items) = self else { throw unusable(place(), "a list") }
        return items
    }

    func string(_ place: @autoclosure () -> String) throws(Unusable) -> String {
        guard case .string(let text) = self else { throw unusable(place(), "a string") }
        return text
    }

    func boolean(_ place: @autoclosure () -> String) throws(Unusable) -> Bool {
        guard case .boolean(let flag) = self else { throw unusable(place(), "true or false") }
        return flag
    }

    func strings(_ place: @autoclosure () -> String) throws(Unusable) -> [String] {
        var texts: [String] = []
        for item in try list(place()) { texts.append(try item.string("an item of \(place())")) }
        return texts
    }

    /// Null becomes nil, so that others keep their places.
    func names(_ place: @autoclosure () -> String) throws(Unusable) -> [ExactText?] {
        var names: [ExactText?] = []
        for item in try list(place()) {
            names.append(item == .null ? nil : ExactText(try item.string("an item of \(place())")))
        }
        return names
    }

    private func unusable(_ place: String, _ expected: String) -> Unusable {
        if case .ambiguous(let slip) = self { return Unusable(reason: "\(place) cannot be read: \(slip)") }
        let found =
            switch self {
            case .null: "null"
            case .boolean: "true or false"
            case .number: "a number"
            case .string: "a string"
            case .list: "a list"
            case .object, .ambiguous: "an object"
            }
        return Unusable(reason: "\(place) is \(found), not \(expected)")
    }
}
