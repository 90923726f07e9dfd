// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

extension PeerFrame {
    /// The frame's body, without its header.
    package func encoded() throws(WireError) -> [UInt8] {
        var frame = PBPeerFrame()
        frame.request = request
        frame.answer = answer
        switch message {
        case .hello(let hello):
            frame.hello = .with {
                $0.minVersion = hello.minimumVersion
                $0.maxVersion = hello.maximumVersion
                $0.boot = hello.boot.value
                $0.rosterDigest = hello.rosterDigest.data
                $0.software = hello.software.text
                $0.choice = hello.choice
                $0.port = UInt32(hello.port)
            }
        case .roster(let update): frame.roster = PBRosterUpdate(update)
        case .boardSnapshot(let snapshot):
            frame.boardSnapshot = .with {
                $0.revision = snapshot.revision
                $0.offers = snapshot.offers.map(PBOffer.init)
            }
        case .boardDelta(let delta):
            frame.boardDelta = .with {
                $0.revision = delta.revision
                $0.upserted = delta.upserted.map(PBOffer.init)
                $0.withdrawn = delta.withdrawn.map(\.bytes.data)
            }
        case .boardRequest: frame.boardRequest = PBBoardRequest()
        case .fetch(let fetch):
            frame.fetch = .with {
                $0.activity = fetch.activity.bytes.data
                $0.continuation = fetch.continuation.bytes.data
                $0.team = PBTeam(fetch.team)
                $0.onlyWebPage = fetch.onlyWebPage
            }
        case .fetched(let state, let saving, let saved):
            frame.fetched = .with {
                $0.state = PBActivityState(state)
                $0.saveMicroseconds = UInt32(clamping: saving.wholeMicroseconds)
                if let saved { $0.savedMs = saved.milliseconds }
            }
        case .continued(let activity, let continuation):
            frame.continued = .with {
                $0.activity = activity.bytes.data
                $0.continuation = continuation.bytes.data
            }
        case .cancelFetch(let continuation): frame.cancel = .with { $0.continuation = continuation.bytes.data }
        case .ping: frame.ping = PBPing()
        case .pong: frame.pong = PBPong()
        case .failure(let failure): frame.failure = PBFailure(failure)
        case .goodbye(let failure): frame.goodbye = .with { $0.why = PBFailure(failure) }
        case .openStream(let activity, let continuation):
            frame.openStream = .with {
                $0.activity = activity.bytes.data
                $0.continuation = continuation.bytes.data
            }
        case .stream(let token): frame.stream = .with { $0.token = token.bytes.data }
        case .streamLost(let token, let failure):
            frame.streamLost = .with {
                $0.token = token.bytes.data
                $0.why = PBFailure(failure)
            }
        case .unknown: break
        }
        return try frame.bytes()
    }

    package init(encoded bytes: some Collection<UInt8>) throws(WireError) {
        let frame = try PBPeerFrame.decode(bytes)
        self.init(try PeerMessage(frame), request: frame.request, answer: frame.answer)
    }
}

extension PeerMessage {
    fileprivate init(_ frame: PBPeerFrame) throws(WireError) {
        switch frame.body {
        case .hello(let hello)?:
            guard hello.rosterDigest.isEmpty || hello.rosterDigest.count == 32 else {
                throw WireError(.malformed, "a roster digest has 32 bytes")
            }
            guard let port = UInt16(exactly: hello.port) else { throw WireError(.malformed, "port \(hello.port)") }
            var native = PeerHello(
                boot: BootID(hello.boot), rosterDigest: Array(hello.rosterDigest),
                software: DisplayText(cleaning: hello.software, limit: Limits.nameCharacters), choice: hello.choice,
                port: port)
            native.minimumVersion = hello.minVersion
            native.maximumVersion = hello.maxVersion
            self = .hello(native)
        case .roster(let update)?: self = .roster(try RosterUpdate(update))
        case .boardSnapshot(let snapshot)?:
            self = .boardSnapshot(BoardSnapshot(revision: snapshot.revision, offers: try snapshot.offers.native()))
        case .boardDelta(let delta)?:
            guard delta.withdrawn.count <= Limits.offersPerBoard else {
                throw WireError(.limitReached, "more than \(Limits.offersPerBoard) withdrawals in one delta")
            }
            var withdrawn: [ActivityID] = []
            for id in delta.withdrawn { withdrawn.append(try ActivityID(bytes: id)) }
            self = .boardDelta(
                BoardDelta(revision: delta.revision, upserted: try delta.upserted.native(), withdrawn: withdrawn))
        case .boardRequest?: self = .boardRequest
        case .fetch(let fetch)?:
            self = .fetch(
                FetchRequest(
                    activity: try ActivityID(bytes: fetch.activity),
                    continuation: try ContinuationID(bytes: fetch.continuation), team: try Team(fetch.team),
                    onlyWebPage: fetch.onlyWebPage))
        case .fetched(let fetched)?:
            self = .fetched(
                try ActivityState(fetched.state), saving: .microseconds(Int64(fetched.saveMicroseconds)),
                saved: fetched.hasSavedMs ? WallTime(milliseconds: fetched.savedMs) : nil)
        case .continued(let continued)?:
            self = .continued(
                try ActivityID(bytes: continued.activity), try ContinuationID(bytes: continued.continuation))
        case .cancel(let cancel)?: self = .cancelFetch(try ContinuationID(bytes: cancel.continuation))
        case .ping?: self = .ping
        case .pong?: self = .pong
        case .failure(let failure)?: self = .failure(Failure(failure))
        case .goodbye(let goodbye)?: self = .goodbye(Failure(goodbye.why))
        case .openStream(let open)?:
            self = .openStream(
                try ActivityID(bytes: open.activity), try ContinuationID(bytes: open.continuation))
        case .stream(let grant)?: self = .stream(try StreamToken(bytes: grant.token))
        case .streamLost(let loss)?: self = .streamLost(try StreamToken(bytes: loss.token), Failure(loss.why))
        case nil: self = .unknown
        }
    }
}

extension [PBOffer] {
    func native() throws(WireError) -> [Offer] {
        guard count <= Limits.offersPerBoard else {
            throw WireError(.limitReached, "more than \(Limits.offersPerBoard) offers on one board")
        }
        var offers: [Offer] = []
        for offer in self { offers.append(try Offer(offer)) }
        return offers
    }
}

extension [PBSignedStatement] {
    func native() throws(WireError) -> [SignedStatement] {
        guard count <= Limits.rosterStatements else {
            throw WireError(.limitReached, "more than \(Limits.rosterStatements) roster statements")
        }
        var statements: [SignedStatement] = []
        for statement in self { statements.append(try SignedStatement(statement)) }
        return statements
    }
}

extension Duration {
    /// Whole ones of which there are `perSecond` in a second; saturates.
    private func whole(perSecond: Int64) -> Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: perSecond)
        let (sum, sumOverflow) = product.addingReportingOverflow(attoseconds / (1_000_000_000_000_000_000 / perSecond))
        return overflow || sumOverflow ? (seconds < 0 ? .min : .max) : sum
    }

    var wholeMilliseconds: Int64 { whole(perSecond: 1000) }
    var wholeMicroseconds: Int64 { whole(perSecond: 1_000_000) }
}
