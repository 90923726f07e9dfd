// SPDX-License-Identifier: Apache-2.0

internal import HandoffWire

/// The rules that `nft -j list ruleset` prints. Rules of iptables are among them on systems since 2019.
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

    /// That are possible. A rule that cannot be judged may apply or not.
    private struct Fates: OptionSet {
        let rawValue: Int

        static let accepted = Fates(rawValue: 1)
        static let dropped = Fates(rawValue: 2)
        static let continues = Fates(rawValue: 4)
        /// To the rule after the jump, or to the policy.
        static let returns = Fates(rawValue: 8)

        static let any: Fates = [.accepted, .dropped, .continues]
    }

    private struct Chain: Hashable {
        let family: String
        let table: String
        let name: String
    }

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

    struct Packet: Hashable {
        let transport: Transport
        let port: UInt16
        /// Nil: any.
        var interface: String?
    }

    struct Obstacle: Hashable {
        let chain: String
        /// False if it depends on an expression that cannot be judged.
        let isCertain: Bool
    }

    /// Nil: the packet passes.
    func obstacle(to packet: Packet) -> Obstacle? {
        var doubt: Obstacle?
        for (chain, drops) in inputs {
            var fates = fates(of: packet, in: chain, depth: Self.depth)
            if fates.remove(.returns) != nil { fates.insert(drops ? .dropped : .accepted) }
            let name = "\(chain.family) \(chain.table) \(chain.name)"
            if fates == .dropped { return Obstacle(chain: name, isCertain: true) }
            if fates.contains(.dropped) { doubt = doubt ?? Obstacle(chain: name, isCertain: false) }
        }
        return doubt
    }

    /// Never contains `continues`.
    private func fates(of packet: Packet, in chain: Chain, depth: Int) -> Fates {
        guard depth > 0 else { return [.accepted, .dropped, .returns] }
        var possible: Fates = []
        for expressions in rules[chain] ?? [] {
            let fates = fates(of: packet, under: expressions, in: chain, depth: depth)
            possible.formUnion(fates.subtracting(.continues))
            if !fates.contains(.continues) { return possible }
        }
        return possible.union(.returns)
    }

    private func fates(of packet: Packet, under rule: [JSONTree], in chain: Chain, depth: Int) -> Fates {
        var truth = Truth.yes
        for expression in rule {
            if let match = expression["match"] {
                truth = truth.and(Self.holds(match, packet))
            } else if expression["xt"]?["type"]?.text == "match" {
                truth = truth.and(.unknown)
            } else if let verdict = verdict(expression, on: packet, in: chain, depth: depth) {
                return truth == .yes ? verdict : verdict.union(.continues)
            }
            if truth == .no { return .continues }
        }
        return .continues
    }

    /// Nil for expressions without a verdict, such as a counter.
    private func verdict(_ expression: JSONTree, on packet: Packet, in chain: Chain, depth: Int) -> Fates? {
        guard case .object(let members) = expression, let member = members.first else { return nil }
        let kind = "\(member.key)"
        switch kind {
        case "accept", "queue": return .accepted
        case "drop", "reject": return .dropped
        case "return": return .returns
        case "continue": return .continues
        case "jump", "goto":
            guard let target = member.value["target"]?.text else { return .any }
            let next = Chain(family: chain.family, table: chain.table, name: target)
            var fates = fates(of: packet, in: next, depth: depth - 1)
            if kind == "jump", fates.remove(.returns) != nil { fates.insert(.continues) }
            return fates
        case "vmap":
            guard member.value["key"]?["ct"]?["key"]?.text == "state",
                case .list(let pairs)? = member.value["data"]?["set"]
            else { return .any }
            for case .list(let pair) in pairs where pair.count == 2 && Self.names(pair[0], "new") != .no {
                return verdict(pair[1], on: packet, in: chain, depth: depth)
            }
            return nil
        // REJECT is a target in the rules of iptables.
        case "xt": return member.value["name"]?.text == "REJECT" ? .dropped : .any
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
