// SPDX-License-Identifier: Apache-2.0

internal import Configuration
internal import HandoffWire

/// The configuration file: a JSON object. swift-configuration reads JSON too, but with all of Foundation, whose
/// language tables would be most of the program: docs/decisions/0026.
struct SettingsFile: FileConfigSnapshot {
    struct ParsingOptions: FileParsingOptions {
        static let `default` = ParsingOptions()
    }

    private struct Unusable: Error, CustomStringConvertible { let description: String }

    let providerName: String
    private let values: [ExactText: JSONTree]

    init(data: RawSpan, providerName: String, parsingOptions: ParsingOptions) throws {
        self.providerName = providerName
        switch try JSONReader.read(data.withUnsafeBytes { Array($0) }) {
        case .object(let members):
            values = Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        case .ambiguous(let slip): throw Unusable(description: slip)
        default: throw Unusable(description: "the file holds another kind of value")
        }
    }

    /// Strings, booleans, and lists of strings: no setting has another type.
    func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
        let name = key.components.joined(separator: ".")
        guard let value = values[ExactText(name)] else { return LookupResult(encodedKey: name, value: nil) }
        let content: ConfigContent? =
            switch (type, value) {
            case (.string, .string(let text)): .string(text)
            case (.bool, .boolean(let flag)): .bool(flag)
            case (.stringArray, .list(let items)): Self.texts(of: items).map { .stringArray($0) }
            default: nil
            }
        guard let content else { throw Unusable(description: "\(name) has a value of another type") }
        return LookupResult(encodedKey: name, value: ConfigValue(content, isSecret: false))
    }

    private static func texts(of items: [JSONTree]) -> [String]? {
        var texts: [String] = []
        for item in items {
            guard case .string(let text) = item else { return nil }
            texts.append(text)
        }
        return texts
    }

    var description: String { "\(providerName)[\(values.count) values]" }
    var debugDescription: String { description }
}
