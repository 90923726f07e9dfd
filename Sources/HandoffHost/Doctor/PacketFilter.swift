// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// The rules of nftables, as `nft -j list ruleset` prints them, and their effect on a packet of another device to a port.
/// Rules of iptables are among them on systems since 2019.
struct PacketFilter {
    enum Transport: String {
        case tcp
        case udp
    }

    fileprivate enum Truth {
        case yes
        case no
        case unknown
    }

    private enum Fate {
        case accepted
        case dropped
        /// A rule that cannot be judged may accept it.
        case perhaps
        case continues
    }

    private struct Chain: Hashable {
        let family: String
        let table: String
        let name: String
    }

    /// Jumps from chain to chain.
    private static let depth = 16

    private var rules: [Chain: [[JSONTree]]] = [:]
    private var inputs: [(chain: Chain, drops: Bool)] = []

    /// Nil: not the output of that command.
    init?(json: [UInt8]) {
        guard let tree = try? JSONReader.read(json), case .list(let objects)? = tree["nftables"] else { return nil }
        for object in objects {
            if let chain = object["chain"], let name = Self.chain(chain, named: "name") {
                guard chain["hook"]?.text == "input", chain["type"]?.text == "filter" else { continue }
                inputs.append((name, chain["policy"]?.text == "drop"))
            } else if let rule = object["rule"], let name = Self.chain(rule, named: "chain"),
                case .list(let expressions)? = rule["expr"]
            {
                rules[name, default: []].append(expressions)
            }
        }
    }

    private static func chain(_ object: JSONTree, named key: ExactText) -> Chain? {
        guard let family = object["family"]?.text, let table = object["table"]?.text, let name = object[key]?.text
        else {
            return nil
        }
        return Chain(family: family, table: table, name: name)
    }

    /// From another device, to a port of this machine.
    struct Packet: Hashable {
        let transport: Transport
        let port: UInt16
        /// Nil: any.
        var interface: String?
    }

    /// The chain that drops it for certain; nil: none does.
    func dropper(of packet: Packet) -> String? {
        for (chain, drops) in inputs {
            let fate = fate(of: packet, in: chain, depth: Self.depth)
            if fate == .dropped || (fate == .continues && drops) {
                return "\(chain.family) \(chain.table) \(chain.name)"
            }
        }
        return nil
    }

    private func fate(of packet: Packet, in chain: Chain, depth: Int) -> Fate {
        guard depth > 0 else { return .perhaps }
        var isDoubtful = false
        for expressions in rules[chain] ?? [] {
            var truth = Truth.yes
            for expression in expressions {
                if let match = expression["match"] {
                    truth = truth.and(Self.holds(match, packet))
                    if truth == .no { break }
                    continue
                }
                guard let verdict = verdict(expression, on: packet, in: chain, depth: depth) else { continue }
                switch (truth, verdict) {
                case (.yes, .accepted), (.yes, .dropped): return isDoubtful && verdict == .dropped ? .perhaps : verdict
                case (_, .accepted), (_, .perhaps): isDoubtful = true
                case (_, .dropped), (_, .continues): break
                }
            }
        }
        return isDoubtful ? .perhaps : .continues
    }

    /// Nil: not a verdict, as a counter.
    private func verdict(
        _ expression: JSONTree, on packet: Packet, in chain: Chain, depth: Int
    ) -> Fate? {
        guard case .object(let members) = expression, let member = members.first else { return nil }
        switch "\(member.key)" {
        case "accept", "queue": return .accepted
        case "drop", "reject": return .dropped
        case "jump", "goto":
            guard let target = member.value["target"]?.text else { return .perhaps }
            let next = Chain(family: chain.family, table: chain.table, name: target)
            return fate(of: packet, in: next, depth: depth - 1)
        case "vmap":
            guard member.value["key"]?["ct"]?["key"]?.text == "state",
                case .list(let pairs)? = member.value["data"]?["set"]
            else { return .perhaps }
            for case .list(let pair) in pairs where pair.count == 2 && Self.names(pair[0], "new") != .no {
                return verdict(pair[1], on: packet, in: chain, depth: depth)
            }
            return nil
        case "xt": return .perhaps
        default: return nil
        }
    }

    private static func holds(_ match: JSONTree, _ packet: Packet) -> Truth {
        guard let left = match["left"], let right = match["right"] else { return .unknown }
        let isNegated = match["op"]?.text == "!="
        let truth: Truth
        if let payload = left["payload"] {
            let network = payload["protocol"]?.text
            if payload["field"]?.text == "dport" {
                guard network == packet.transport.rawValue || network == "th" else { return .no }
                truth = contains(right, Int(packet.port))
            } else if ["protocol", "nexthdr"].contains(payload["field"]?.text) {
                truth = names(right, packet.transport.rawValue)
            } else if network == "ip" || network == "ip6" || network == "th" {
                truth = .unknown
            } else {
                truth = network == packet.transport.rawValue ? .unknown : .no
            }
        } else if let key = left["meta"]?["key"]?.text {
            switch key {
            case "l4proto": truth = names(right, packet.transport.rawValue)
            case "iif", "iifname":
                truth = packet.interface.map { names(right, $0) } ?? (right.text == "lo" ? .no : .unknown)
            default: truth = .unknown
            }
        } else if left["ct"]?["key"]?.text == "state" {
            truth = names(right, "new")
        } else if left["ct"]?["key"]?.text == "status" {
            truth = names(right, "none")
        } else {
            truth = .unknown
        }
        return isNegated ? truth.negated : truth
    }

    /// `right`: a number, a range, or a set of them.
    private static func contains(_ right: JSONTree, _ port: Int) -> Truth {
        if case .number(let number?) = right { return number == port ? .yes : .no }
        if case .list(let bounds)? = right["range"], case .number(let low?)? = bounds.first,
            case .number(let high?)? = bounds.last
        {
            return low <= high && (low...high).contains(port) ? .yes : .no
        }
        guard case .list(let members)? = right["set"] else { return .unknown }
        return members.map { contains($0, port) }.reduce(.no) { $0.or($1) }
    }

    private static func names(_ right: JSONTree, _ name: String) -> Truth {
        if let text = right.text {
            if text.hasPrefix("@") { return .unknown }
            return text == name || text.hasSuffix("*") && name.hasPrefix(text.dropLast()) ? .yes : .no
        }
        if case .list(let members) = right { return members.map { names($0, name) }.reduce(.no) { $0.or($1) } }
        guard case .list(let members)? = right["set"] else { return .unknown }
        return members.map { names($0, name) }.reduce(.no) { $0.or($1) }
    }
}

extension PacketFilter.Truth {
    fileprivate var negated: Self { self == .yes ? .no : self == .no ? .yes : .unknown }
    fileprivate func and(_ other: Self) -> Self {
        self == .no || other == .no ? .no : self == .yes && other == .yes ? .yes : .unknown
    }
    fileprivate func or(_ other: Self) -> Self { negated.and(other.negated).negated }
}

extension JSONTree {
    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
}
