// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

extension Setting {
    static var schema: String {
        func lines(_ settings: [Setting], _ key: (Setting) -> String) -> String {
            settings
                .map { "    \(JSONTree.string(key($0)).text): \(JSONTree.object($0.schemaMembers).text)" }
                .joined(separator: ",\n")
        }
        let families = all.filter { $0.member != nil }
        return """
            {
              "$schema": "http://json-schema.org/draft-07/schema#",
              "title": "config.json of Handoff",
              "type": "object",
              "properties": {
            \(lines(all.filter { $0.member == nil }, \.key))
              },
              "patternProperties": {
            \(lines(families) { "^" + $0.key.split(separator: ".").joined(separator: "\\.") + "\\..+$" })
              }
            }

            """
    }

    private var schemaMembers: [JSONTree.Member] {
        let shape: [JSONTree.Member] =
            switch form {
            case .name, .address: [.init(key: "type", value: .string("string"))]
            case .choice(let words): [.init(key: "enum", value: .list(words.map(JSONTree.string)))]
            case .trueOrFalse: [.init(key: "type", value: .string("boolean"))]
            case .time:
                [
                    .init(key: "type", value: .string("string")),
                    .init(key: "pattern", value: .string("^(0|[0-9]{1,5}(s|m|min|h|d))$")),
                ]
            case .addresses:
                [
                    .init(key: "type", value: .string("array")),
                    .init(key: "items", value: .object([.init(key: "type", value: .string("string"))])),
                ]
            }
        return [.init(key: "description", value: .string(does))] + shape
    }
}
