// SPDX-License-Identifier: Apache-2.0

internal import HandoffTrust
internal import HandoffWire

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension FuzzedParser {
    /// Answers of web servers, and claims of apps.
    static let associations = [association, associatedDomains]

    /// A site's file, evaluated for each app and address below.
    private static let association = FuzzedParser("association") { bytes in
        guard let file = try? SiteAssociation(json: bytes) else { return .refused }
        let tree = try JSONReader.read(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes)
        guard let library = try? JSONDecoder().decode(DecodedTree.self, from: Data(bytes)) else {
            throw BrokenPromise("JSON that the library does not take")
        }
        try promise(tree.isRead(as: library.tree), "\(tree) is \(library.tree) to the library")
        for app in ["NOTES12345.com.example.notes", "STRANGER99.com.example.notes"] {
            let identifier = try AppIdentifier(app)
            for service in [AssociationService.activityContinuation, .appLinks] {
                for page in pages {
                    let verdict = file.verdict(for: identifier, service: service, url: page)
                    let explanation = file.explanation(for: identifier, service: service, url: page)
                    try promise(explanation.verdict == verdict, "\(verdict) is explained as \(explanation.verdict)")
                    try promise(!verdict.isApproved || tree.holds(app), "an app that is not in the file gets \(page)")
                }
            }
        }
        return .taken
    }

    private static let pages: [WebURL] = {
        do {
            return try [
                "https://example.com", "https://example.com/buy/a%C3%BCb?page=41&page=4#top",
                "http://example.com/de_CH/help//aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa?x",
            ].map { try WebURL($0) }
        } catch {
            fatalError("no address: \(error)")
        }
    }()

    /// The first byte selects a claim or an address.
    private static let associatedDomains = FuzzedParser("associated-domains") { bytes in
        let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
        guard (bytes.first ?? 0) % 2 == 0 else {
            let verdict = try roundTrip(text, parse: { try WebURL($0) }, write: \.text)
            if verdict == .taken { try promise(text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "not plain: \(text)") }
            return verdict
        }
        let verdict = try roundTrip(text, parse: { try AssociatedDomain(entry: $0) }, write: \.description)
        guard verdict == .taken else { return .refused }
        let domain = try AssociatedDomain(entry: text)
        let claims = AssociatedDomains(entries: [text])
        let own = claims.claim(for: domain.host, service: domain.service, modes: domain.modes)
        try promise((own == nil) == domain.isWildcard, "\(domain) and its own host")
        guard let below = try? WebHost("www.\(domain.host)") else { return .taken }
        let sub = claims.claim(for: below, service: domain.service, modes: domain.modes)
        try promise((sub == nil) != domain.isWildcard, "\(domain) and the host below it")
        return .taken
    }
}

/// Foundation's reading, which takes one of two members with the same key.
private struct DecodedTree: Decodable {
    let tree: JSONTree

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            tree = .null
        } else if let flag = try? container.decode(Bool.self) {
            tree = .boolean(flag)
        } else if let text = try? container.decode(String.self) {
            tree = .string(text)
        } else if let items = try? container.decode([DecodedTree].self) {
            tree = .list(items.map(\.tree))
        } else if let members = try? container.decode([String: DecodedTree].self) {
            tree = .object(members.map { .init(key: ExactText($0.key), value: $0.value.tree) })
        } else {
            tree = .number(nil)
        }
    }
}

extension JSONTree {
    /// Ignores the order of members, and the content of objects with duplicate keys.
    fileprivate func isRead(as other: JSONTree) -> Bool {
        switch (self, other) {
        case (.list(let own), .list(let others)):
            return own.count == others.count && zip(own, others).allSatisfy { $0.isRead(as: $1) }
        case (.object(let own), .object(let others)):
            // Foundation takes one of the members whose keys are canonically equivalent.
            let values = Dictionary(others.map { ($0.key.text, $0.value) }) { first, _ in first }
            let alike = Dictionary(grouping: own, by: \.key.text)
            return alike.count == others.count
                && alike.allSatisfy { key, members in
                    members.contains { member in values[key].map(member.value.isRead) ?? false }
                }
        case (.ambiguous, .object), (.number, .number): return true
        default: return self == other
        }
    }

    /// At any depth, as a value, or as a key as in files of 2015.
    fileprivate func holds(_ text: String) -> Bool {
        switch self {
        case .null, .boolean, .number, .ambiguous: false
        case .string(let value): value == text
        case .list(let items): items.contains { $0.holds(text) }
        case .object(let members): members.contains { $0.key.text == text || $0.value.holds(text) }
        }
    }
}
