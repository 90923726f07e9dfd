// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

/// Carried out as a whole.
package struct IndexChanges: Hashable, Sendable {
    /// Bytes of a client state.
    package static let clientStateBytes = 250
    /// Bytes of a unique identifier, a domain or an index's name.
    package static let identifierBytes = 1024
    /// Per message, encoded. A larger batch is sent in several, the client state with the last.
    package static let messageBytes = Limits.frameBytes / 2

    package var index: String
    package var changes: [IndexChange]
    package var clientState: [UInt8]?

    package init(index: String = "", _ changes: [IndexChange], clientState: [UInt8]? = nil) {
        self.index = index
        self.changes = changes
        self.clientState = clientState
    }

    package var parts: [IndexChanges] {
        var parts = [IndexChanges(index: index, [])]
        var bytes = 0
        for change in changes.flatMap(\.parts) {
            let size = change.bytes
            if bytes + size > Self.messageBytes, bytes > 0 {
                parts.append(IndexChanges(index: index, []))
                bytes = 0
            }
            parts[parts.count - 1].changes.append(change)
            bytes += size
        }
        parts[parts.count - 1].clientState = clientState
        return parts
    }
}

package enum IndexChange: Hashable, Sendable {
    case item(IndexedItem)
    case deleteItems([ExactText])
    case deleteDomains([ExactText])
    case deleteAll

    fileprivate var bytes: Int {
        switch self {
        case .item(let item):
            item.uniqueIdentifier.text.utf8.count + (item.domainIdentifier?.text.utf8.count ?? 0)
                + item.attributes.count
                + 64
        case .deleteItems(let names), .deleteDomains(let names): names.reduce(64) { $0 + $1.text.utf8.count + 8 }
        case .deleteAll: 64
        }
    }

    fileprivate var parts: [IndexChange] {
        func pieces(_ names: [ExactText]) -> [[ExactText]] {
            stride(from: 0, to: names.count, by: Limits.deletedIdentifiers / 4).map {
                Array(names[$0..<min($0 + Limits.deletedIdentifiers / 4, names.count)])
            }
        }
        return switch self {
        case .item, .deleteAll: [self]
        case .deleteItems(let names): pieces(names).map { .deleteItems($0) }
        case .deleteDomains(let names): pieces(names).map { .deleteDomains($0) }
        }
    }
}

package struct IndexedItem: Hashable, Sendable {
    package var uniqueIdentifier: ExactText
    package var domainIdentifier: ExactText?
    /// An encoded `Value` dictionary, or empty.
    package var attributes: [UInt8]
    package var expires: WallTime?
    package var isUpdate: Bool

    package init(
        _ uniqueIdentifier: ExactText, domainIdentifier: ExactText? = nil, attributes: [UInt8] = [],
        expires: WallTime? = nil, isUpdate: Bool = false
    ) {
        self.uniqueIdentifier = uniqueIdentifier
        self.domainIdentifier = domainIdentifier
        self.attributes = attributes
        self.expires = expires
        self.isUpdate = isUpdate
    }
}

extension PBChangeIndex {
    init(_ changes: IndexChanges) {
        self.init()
        index = changes.index
        self.changes = changes.changes.map(PBIndexChange.init)
        if let state = changes.clientState { clientState = state.data }
    }
}

extension IndexChanges {
    init(_ message: PBChangeIndex) throws(WireError) {
        guard message.clientState.count <= Self.clientStateBytes else {
            throw WireError(.limitReached, "a client state has at most \(Self.clientStateBytes) bytes")
        }
        self.init(
            index: try Self.identifier(message.index, mayBeEmpty: true).text, [],
            clientState: message.hasClientState ? Array(message.clientState) : nil)
        for change in message.changes { changes.append(try IndexChange(change)) }
    }

    fileprivate static func identifier(_ text: String, mayBeEmpty: Bool = false) throws(WireError) -> ExactText {
        guard mayBeEmpty || !text.isEmpty, text.utf8.count <= identifierBytes else {
            throw WireError(.limitReached, "an identifier of the index has 1 to \(identifierBytes) bytes")
        }
        return ExactText(text)
    }
}

extension PBIndexChange {
    init(_ change: IndexChange) {
        self.init()
        func names(_ names: [ExactText]) -> PBIndexNames { .with { $0.names = names.map(\.text) } }
        switch change {
        case .item(let item): self.item = PBIndexedItem(item)
        case .deleteItems(let identifiers): deleteItems = names(identifiers)
        case .deleteDomains(let identifiers): deleteDomains = names(identifiers)
        case .deleteAll: deleteAll = true
        }
    }
}

extension IndexChange {
    init(_ message: PBIndexChange) throws(WireError) {
        func names(_ message: PBIndexNames) -> [ExactText] { message.names.map { ExactText($0) } }
        switch message.change {
        case .item(let item)?: self = .item(try IndexedItem(item))
        case .deleteItems(let list)?: self = .deleteItems(names(list))
        case .deleteDomains(let list)?: self = .deleteDomains(names(list))
        case .deleteAll(true)?: self = .deleteAll
        case .deleteAll(false)?, nil: throw WireError(.missingField, "a change of nothing in the index")
        }
    }
}

extension PBIndexedItem {
    init(_ item: IndexedItem) {
        self.init()
        uniqueIdentifier = item.uniqueIdentifier.text
        if let domain = item.domainIdentifier { domainIdentifier = domain.text }
        attributes = item.attributes.data
        if let expires = item.expires { expiresMs = expires.milliseconds }
        isUpdate = item.isUpdate
    }
}

extension IndexedItem {
    init(_ message: PBIndexedItem) throws(WireError) {
        guard message.attributes.count <= Limits.contentAttributesBytes else {
            throw WireError(.limitReached, "content attributes have at most \(Limits.contentAttributesBytes) bytes")
        }
        self.init(
            try IndexChanges.identifier(message.uniqueIdentifier),
            domainIdentifier: message.hasDomainIdentifier
                ? try IndexChanges.identifier(message.domainIdentifier, mayBeEmpty: true) : nil,
            attributes: Array(message.attributes),
            expires: message.hasExpiresMs ? WallTime(milliseconds: message.expiresMs) : nil,
            isUpdate: message.isUpdate)
    }
}
