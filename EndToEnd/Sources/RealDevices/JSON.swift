// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The output of `--json`.
package enum JSON: Sendable, Hashable, Decodable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    package init(text: String) throws {
        do {
            self = try JSONDecoder().decode(JSON.self, from: Data(text.utf8))
        } catch {
            throw Unmet("this is not JSON: \(text)")
        }
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let string = try? container.decode(String.self) {
            self = .string(string)
        } else if let array = try? container.decode([JSON].self) {
            self = .array(array)
        } else {
            self = .object(try container.decode([String: JSON].self))
        }
    }

    package subscript(key: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members[key]
    }

    package var string: String? {
        guard case .string(let string) = self else { return nil }
        return string
    }

    package var number: Double? {
        guard case .number(let number) = self else { return nil }
        return number
    }

    package var bool: Bool? {
        guard case .bool(let bool) = self else { return nil }
        return bool
    }

    package var elements: [JSON] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }

    package func first(where key: String, is value: String) -> JSON? {
        elements.first { $0[key]?.string == value }
    }
}
