// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

extension PBFact {
    init(_ fact: Fact) {
        self.init()
        name = fact.name
        switch fact.value {
        case .count(let count): value = .count(count)
        case .duration(let duration): value = .durationUs(duration.wholeMicroseconds)
        case .time(let time): value = .timeMs(time.milliseconds)
        case .text(let text): value = .text(text.text)
        }
    }
}

extension Fact {
    /// Nil: a kind from a newer version.
    fileprivate init?(_ message: PBFact) {
        let value: Value
        switch message.value {
        case .count(let count)?: value = .count(count)
        case .durationUs(let duration)?: value = .duration(.microseconds(duration))
        case .timeMs(let time)?: value = .time(WallTime(milliseconds: time))
        case .text(let text)?: value = .text(.name(text))
        case nil: return nil
        }
        self.init(message.name, value)
    }
}

extension [Fact] {
    var wire: [PBFact] { prefix(Limits.facts).map(PBFact.init) }

    init(_ messages: [PBFact]) { self = messages.prefix(Limits.facts).compactMap(Fact.init) }
}
