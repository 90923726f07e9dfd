// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import Testing

@testable import HandoffHost

/// Rules as nft 1.0.6 prints them.
// Shows Y06.
@Suite struct PacketFilterTests {
    /// The rules of one chain for what arrives.
    private func filter(policy: String = "drop", rules: String...) throws -> PacketFilter {
        let chain = #"{"family":"inet","table":"filter","name":"input","type":"filter","hook":"input","prio":0"#
        let objects = rules.map { #"{"rule":{"family":"inet","table":"filter","chain":"input","expr":[\#($0)]}}"# }
        let all = [#"{"metainfo":{"version":"1.0.6"}}"#, #"{"chain":\#(chain),"policy":"\#(policy)"}}"#] + objects
        return try #require(PacketFilter(json: Array(#"{"nftables":[\#(all.joined(separator: ","))]}"#.utf8)))
    }

    private static func match(_ left: String, _ right: String, _ operation: String = "==") -> String {
        #"{"match":{"op":"\#(operation)","left":\#(left),"right":\#(right)}}"#
    }

    private static func port(_ transport: String, _ right: String) -> String {
        match(#"{"payload":{"protocol":"\#(transport)","field":"dport"}}"#, right)
    }

    private static let accept = #"{"accept":null}"#
    private static let drop = #"{"drop":null}"#
    private static let chain = "inet filter input"

    @Test func policyDecidesWithoutARule() throws {
        #expect(try filter(policy: "drop").dropper(of: .udp, to: 47474) == Self.chain)
        #expect(try filter(policy: "accept").dropper(of: .udp, to: 47474) == nil)
    }

    @Test(arguments: ["47474", #"{"range":[40000,50000]}"#, #"{"set":[22,{"range":[47474,47475]}]}"#])
    func ruleForThePortDecides(right: String) throws {
        let accepting = try filter(rules: "\(Self.port("udp", right)),\(Self.accept)")
        #expect(accepting.dropper(of: .udp, to: 47474) == nil)
        #expect(accepting.dropper(of: .tcp, to: 47474) == Self.chain, "of the other transport")
        #expect(accepting.dropper(of: .udp, to: 9) == Self.chain, "of another port")
        let dropping = try filter(policy: "accept", rules: "\(Self.port("udp", right)),\(Self.drop)")
        #expect(dropping.dropper(of: .udp, to: 47474) == Self.chain)
    }

    @Test func firstRuleWins() throws {
        let rules = ["\(Self.port("tcp", "47474")),\(Self.drop)", "\(Self.port("tcp", "47474")),\(Self.accept)"]
        #expect(try filter(rules: rules[0], rules[1]).dropper(of: .tcp, to: 47474) == Self.chain)
        #expect(try filter(rules: rules[1], rules[0]).dropper(of: .tcp, to: 47474) == nil)
    }

    /// A usual beginning; none of these rules is about a new connection from another device.
    @Test func rulesForOtherPacketsAreSkipped() throws {
        let state = #"{"ct":{"key":"state"}}"#
        let filter = try filter(
            rules: "\(Self.match(state, #"["established","related"]"#, "in")),\(Self.accept)",
            #"{"vmap":{"key":\#(state),"data":{"set":[["invalid",{"drop":null}],["established",{"accept":null}]]}}}"#,
            "\(Self.match(#"{"meta":{"key":"iifname"}}"#, #""lo""#)),\(Self.accept)",
            "\(Self.match(#"{"payload":{"protocol":"ip","field":"protocol"}}"#, #""icmp""#)),\(Self.accept)",
            #"\#(Self.port("tcp", "22")),{"counter":{"packets":0,"bytes":0}},\#(Self.accept)"#)
        #expect(filter.dropper(of: .udp, to: 47474) == Self.chain)
        #expect(filter.dropper(of: .tcp, to: 22) == nil)
    }

    /// Nothing is certain.
    @Test(arguments: [
        #"{"match":{"op":"==","left":{"payload":{"protocol":"udp","field":"dport"}},"right":"@open"}},{"accept":null}"#,
        #"{"match":{"op":"==","left":{"meta":{"key":"iifname"}},"right":"eth0"}},{"accept":null}"#,
        #"{"match":{"op":"==","left":{"payload":{"protocol":"ip","field":"saddr"}},"right":"10.0.0.0/8"}},{"accept":null}"#,
        #"{"vmap":{"key":{"meta":{"key":"iifname"}},"data":"@zones"}}"#,
        #"{"xt":{"type":"match","name":"recent"}},{"accept":null}"#,
        #"{"jump":{"target":"input"}}"#,
    ])
    func doubtfulRuleIsReportedAsSuch(rule: String) throws {
        let filter = try filter(rules: rule)
        #expect(filter.dropper(of: .udp, to: 47474) == nil)
        #expect(filter.obstacle(to: .init(transport: .udp, port: 47474))?.isCertain == false)
    }

    @Test func doubtIsReportedWithAdvice() throws {
        let rule = #"{"match":{"op":"==","left":{"payload":{"protocol":"ip","field":"saddr"}},"right":"10.0.0.1"}}"#
        let firewall = MachineExamination.firewall(of: try filter(rules: "\(rule),\(Self.accept)"), on: [])
        guard case .unreadable(let seen, let advice) = firewall.verdict else {
            Issue.record("\(firewall.verdict)")
            return
        }
        #expect(seen.contains("inet filter input may drop what other devices send to TCP 47474, UDP 47474, UDP 47475"))
        #expect(advice == "check its rules, as root: nft list chain inet filter input")
    }

    @Test func returningRuleEndsItsChain() throws {
        #expect(
            try filter(policy: "accept", rules: "\(Self.port("udp", "47474")),{\"return\":null}", Self.drop)
                .dropper(of: .udp, to: 47474) == nil)
        let json = """
            {"nftables":[{"chain":{"family":"ip","table":"t","name":"in","type":"filter","hook":"input","prio":0,"policy":"drop"}},
            {"rule":{"family":"ip","table":"t","chain":"in","expr":[{"VERB":{"target":"guests"}}]}},
            {"rule":{"family":"ip","table":"t","chain":"in","expr":[\(Self.accept)]}},
            {"rule":{"family":"ip","table":"t","chain":"guests","expr":[{"return":null}]}}]}
            """
        for (verb, dropper) in [("jump", nil), ("goto", "ip t in")] {
            let filter = try #require(PacketFilter(json: Array(json.replacing("VERB", with: verb).utf8)))
            #expect(filter.dropper(of: .udp, to: 47474) == dropper)
        }
    }

    /// iptables 1.8.9: an established connection, a rule that cannot be judged, and the end.
    @Test func rulesOfIptablesAreJudged() throws {
        let established = #"{"xt":{"type":"match","name":"conntrack"}},{"counter":{}},\#(Self.accept)"#
        let refusing = #"{"counter":{}},{"xt":{"type":"target","name":"REJECT"}}"#
        #expect(try filter(policy: "accept", rules: refusing).dropper(of: .tcp, to: 47474) == Self.chain)
        let filter = try filter(rules: established, refusing)
        #expect(filter.dropper(of: .tcp, to: 47474) == nil)
        #expect(filter.obstacle(to: .init(transport: .tcp, port: 47474))?.isCertain == false)
    }

    @Test func chainsAreFollowed() throws {
        let jump = try filter(rules: #"{"jump":{"target":"guests"}}"#)
        #expect(jump.dropper(of: .udp, to: 47474) == Self.chain, "the other chain is empty")
        let json = """
            {"nftables":[{"chain":{"family":"ip","table":"t","name":"in","type":"filter","hook":"input","prio":0,"policy":"drop"}},
            {"rule":{"family":"ip","table":"t","chain":"in","expr":[{"match":{"op":"==","left":{"meta":{"key":"l4proto"}},
            "right":"udp"}},{"jump":{"target":"guests"}}]}},{"rule":{"family":"ip","table":"t","chain":"guests",
            "expr":[\(Self.port("udp", "47474")),\(Self.accept)]}}]}
            """
        let filter = try #require(PacketFilter(json: Array(json.utf8)))
        #expect(filter.dropper(of: .udp, to: 47474) == nil)
        #expect(filter.dropper(of: .udp, to: 47475) == "ip t in")
        #expect(filter.dropper(of: .tcp, to: 47474) == "ip t in")
    }

    @Test(arguments: ["", "{}", "[]", #"{"nftables":7}"#, "Error: Operation not permitted"])
    func otherOutputIsNotARuleset(text: String) {
        #expect(PacketFilter(json: Array(text.utf8)) == nil)
    }

    @Test func rulesOfAnotherShapeAreHarmless() throws {
        let json =
            #"{"nftables":[7,{"chain":7},{"chain":{"family":"ip"}},{"rule":{"expr":7}},{"rule":{"family":"ip","table":"t","chain":"c","expr":[7,{},{"match":{}}]}}]}"#
        let filter = try #require(PacketFilter(json: Array(json.utf8)))
        #expect(filter.dropper(of: .udp, to: 47474) == nil)
    }

    @Test func interfaceDecides() throws {
        let name = #"{"meta":{"key":"iifname"}}"#
        let accepting = try filter(
            rules: "\(Self.match(name, #""wlan*""#)),\(Self.accept)",
            "\(Self.match(name, #"{"set":["eth0","eth1"]}"#)),\(Self.accept)")
        #expect(accepting.dropper(of: .udp, to: 47474, on: "wlan0") == nil)
        #expect(accepting.dropper(of: .udp, to: 47474, on: "eth1") == nil)
        #expect(accepting.dropper(of: .udp, to: 47474, on: "eth2") == Self.chain)
        #expect(accepting.dropper(of: .udp, to: 47474) == nil, "it depends on the interface")
        let firewall = MachineExamination.firewall(of: accepting, on: ["eth0", "eth2"])
        guard case .drops(let rule, _) = firewall.verdict else {
            Issue.record("\(firewall.verdict)")
            return
        }
        #expect(rule.hasSuffix("to TCP 47474, UDP 47474, UDP 47475 on eth2"))
    }

    /// As firewalld begins.
    @Test func rulesForRedirectedPacketsAndICMPAreSkipped() throws {
        let filter = try filter(
            policy: "accept",
            rules: "\(Self.match(#"{"ct":{"key":"status"}}"#, #""dnat""#, "in")),\(Self.accept)",
            "\(Self.match(#"{"payload":{"protocol":"icmpv6","field":"type"}}"#, #""nd-redirect""#)),\(Self.accept)",
            #"{"reject":{"type":"icmpx","expr":"admin-prohibited"}}"#)
        #expect(filter.dropper(of: .tcp, to: 47474) == Self.chain)
    }

    @Test func adviceNamesEachPort() throws {
        let filter = try filter(rules: "\(Self.port("udp", "47475")),\(Self.accept)")
        guard case .drops(let rule, let advice) = MachineExamination.firewall(of: filter, on: []).verdict else {
            Issue.record("it lets all through")
            return
        }
        #expect(rule == "the chain inet filter input drops what other devices send to TCP 47474, UDP 47474")
        #expect(
            advice == "run as root: nft insert rule inet filter input tcp dport 47474 accept; "
                + "nft insert rule inet filter input udp dport 47474 accept")
    }
}

extension PacketFilter {
    /// The chain that drops it for certain.
    fileprivate func dropper(of transport: Transport, to port: UInt16, on interface: String? = nil) -> String? {
        let obstacle = obstacle(to: Packet(transport: transport, port: port, interface: interface))
        return obstacle?.isCertain == true ? obstacle?.chain : nil
    }
}
