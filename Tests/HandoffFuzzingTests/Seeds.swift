// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffAdapters
import HandoffApp
import HandoffBrowserHost
import HandoffCore
import HandoffDaemon
import HandoffFuzzing
import HandoffIcons
import HandoffSiteMessages
import HandoffTesting
import HandoffTrust
import HandoffWire

/// The initial inputs for libFuzzer, all valid, most of them from `Protocol/vectors`.
struct Seeds {
    private struct Frame: Decodable {
        let name, hex: String
    }

    private struct Invite: Decodable {
        let code: String
    }

    private struct Statements: Decodable {
        struct Row: Decodable {
            let statement, signer, signature: String
        }
        let statements: [Row]
    }

    let all: [String: [[UInt8]]]

    private static func historyEntry() throws -> HistoryEntry {
        let type = try ActivityType("com.example.reading")
        return HistoryEntry(
            app: try BundleID("com.example.notes"), key: .content(type, title: "Letter", userInfo: [1, 2]), type: type,
            title: "Letter", words: HistoryWords(title: ["letter"], others: [["anna"]]),
            persistentIdentifier: "note-7", webpageURL: "https://example.com/7")
    }

    init() throws {
        var all: [String: [[UInt8]]] = [:]
        let peer = try Self.frames("peer-frames.json")
        let local = try Self.frames("local-frames.json")
        all["peer-frame"] = peer.map { Array($0.dropFirst(FrameHeader.byteCount)) }
        all["local-frame"] = local.map { Array($0.dropFirst(FrameHeader.byteCount)) }
        let entry = try Self.historyEntry()
        let noon = WallTime(milliseconds: 1_800_000_000_000)
        all["index-request"] = try [
            IndexRequest.keep(entry, used: noon), .find([["letter"]], limit: 20, now: noon), .transfers,
            .change([.put(entry, isUpdate: true), .remove(.everything)], by: entry.app, nil, now: noon),
        ].map { try $0.encoded() }
        all["index-answer"] = try [
            IndexAnswer.Content.found([HistoryMatch(7, entry, lastUse: noon)]), .done(3), .failure("no room"),
        ].map { try IndexAnswer($0, notice: "set aside").encoded() }
        all["deletions"] = try [SavedActivities.all, .named(["letter-1", "letter-2"])].map { try $0.encoded() }
        // In pieces of eight bytes.
        all["frames"] = [[7] + peer[0] + peer[1], [7] + local[0]]
        let proof = [UInt8](repeating: 7, count: CallFrame.proofBytes)
        all["call"] = try [[proof], [proof, proof]].map {
            try CallFrame(proofs: $0, hello: [22, 3, 1, 0, 1, 1]).encoded
        }
        all["value"] = try Self.frames("values.json")
        // Only devices name documents.
        all["bus-user-info"] = try Self.frames("values.json").filter {
            try !"\(Value(encoded: $0))".contains("document(")
        }
        // A dictionary with a date and a list of numbers; the same as a user-info.
        let busDictionary: [UInt8] = [
            14, 2, 4, 0x64, 0x61, 0x74, 0x65, 18, 1, 8, 0x40, 0, 0, 0, 0, 0, 0, 0, 4, 0x6C, 0x69, 0x73, 0x74, 13, 2, 4,
            0, 0,
            0, 0, 0, 0, 0, 1, 7, 0, 0, 0, 0, 0, 0, 0, 2,
        ]
        all["bus-value"] = [busDictionary, [17, 1, 4, 0, 0, 0, 0, 0, 0, 0, 1, 9, 3, 0x6F, 0x6E, 0x65]]
        all["bus-activity"] = [[2, 0, 9, 5, 0x50, 0x6F, 0x65, 0x6D, 0x73, 1] + busDictionary]
        all["program-report"] = ["40\n3\n/home/anna/a\nb.txt", "/home/anna/a b", "1\n1\n", "mail\na@b\nA subject"].map {
            Array($0.utf8)
        }
        // An address; a file with its size.
        all["program-state"] = [
            [1, 0, 9, 10] + Array("http://a.b".utf8),
            [2, 1, 10, 3] + Array("a/b".utf8) + [2, 6, 0, 0, 0, 0, 0, 0, 0, 5],
        ]
        all["program-description"] = [
            Array(
                #"""
                {"type": "org.handoff.program.media", "executable": "player", "reads": "titles", "loses": "playlists",
                "arguments": ["--start={seconds}", "--", "{target}"]}
                """#.utf8)
        ]
        let opened = #"<bookmark:application name="gedit" modified="2026"/>"#
        all["recent-files"] = [Array(#"<bookmark href="file:///a" modified="2026">\#(opened)</bookmark>"#.utf8)]
        let focus = Array(#"{"change": "focus", "container": {"pid": 7}}"#.utf8)
        all["sway-events"] = [SwayStream.message(type: SwayStream.windowEvent, focus)]
        all["flatpak-info"] = [Array("[Application]\nname=org.example.Notes\nruntime=a\n\n[Context]\nname=b\n".utf8)]
        all["names"] = try Self.names()
        all["display-text"] = ["Weather Tab", "Grüße\u{202E}\tan\nalle \u{1F468}\u{200D}\u{1F469}"].map {
            [9] + Array($0.utf8)
        }
        all["addresses"] = [try Self.addresses()]
        all["invite-code"] = try Self.read("invites.json", as: [Invite].self).map { Array($0.code.utf8) }
        let beacon = Beacon(
            device: FuzzedAccount.laptop.id, port: 47474, boot: BootID(1), time: WallTime(milliseconds: 1000),
            isAnswer: true)
        all["stream-frame"] = try Self.frames("stream-frames.json").map { Array($0.dropFirst(FrameHeader.byteCount)) }
        all["beacon"] = [try beacon.encoded()]
        let announcement = Announcement(
            code: Array(1...15), name: DisplayText(cleaning: "laptop"), kind: .laptop, port: 47474)
        all["announcement"] = [Array(try announcement.datagram().dropFirst())]
        all["sealed-beacon"] = [[UInt8(try beacon.encoded().count)] + (try beacon.encoded())]
        all["session"] = try Self.sessions()
        try Self.addTrust(to: &all)
        try Self.addBundles(to: &all)
        try Self.addTeams(to: &all)
        try Self.addApps(to: &all)
        Self.addAssociations(to: &all)
        try Self.addSites(to: &all)
        try Self.addBrowser(to: &all)
        Self.addIcons(to: &all)
        try Self.addDocuments(to: &all)
        try Self.addSending(to: &all)
        self.all = all
    }

    private static func sent(_ number: UInt8) throws -> SentActivity {
        let type = try ActivityType("com.example.editing")
        let offer = Offer(
            activity: ActivityID(uncheckedBytes: Array(repeating: number, count: 16)), type: type,
            appName: DisplayText(cleaning: "Editor"), team: .personal(FuzzedAccount.id),
            since: WallTime(milliseconds: 4000))
        let state = try CarriedState(ActivityState(type: type, title: "Letter", keywords: ["a"]))
        return SentActivity(offer: offer, state: state)
    }

    private static func addSending(to all: inout [String: [[UInt8]]]) throws {
        let sent = try sent(7)
        let contents: [StoredSend.Content] = [
            .activity(sent), .refused(sent.offer, Failure(.notAllowed, "receiving is switched off")),
            .ended(sent.offer.activity),
        ]
        all["stored-send"] = try contents.map {
            try StoredSend(device: FuzzedAccount.desktop.id, time: sent.offer.since, content: $0).encoded()
        }
    }

    /// Every message with and without a request number, renames and requests in a loop, and more activities than are
    /// kept.
    private static func sessions() throws -> [[UInt8]] {
        func step(_ frame: [UInt8]) -> [UInt8] {
            frame.count < 200
                ? [UInt8(frame.count)] + frame : [250, UInt8(frame.count >> 8), UInt8(frame.count & 255)] + frame
        }
        let pause: [UInt8] = [0, 20]
        let samples = try frames("peer-frames.json").map { Array($0.dropFirst(FrameHeader.byteCount)) }
            .filter { $0.count < 2000 }
        let names = try (1...20).map { number in
            let words = RosterStatement(
                account: FuzzedAccount.id, time: WallTime(milliseconds: 4000), epoch: 0,
                kind: .renamed(
                    FuzzedAccount.desktop.id, DisplayText(cleaning: "name \(number)"), number: UInt32(number)))
            let update = RosterUpdate(statements: [try words.signed(by: FuzzedAccount.desktop)])
            return step(try PeerFrame(.roster(update)).encoded())
        }
        let questions = try [PeerFrame(.ping, request: 1), PeerFrame(.roster(RosterUpdate(statements: [])))].map {
            step(try $0.encoded()) + [249, 20] + pause
        }
        var sendingTooMuch: [UInt8] = [0]
        for number in UInt8(1)...40 {
            sendingTooMuch += step(try PeerFrame(.sending(.sent(sent(number))), request: UInt64(number)).encoded())
        }
        sendingTooMuch += [0, 200]
        let slow: [UInt8] = [0] + samples.flatMap { step($0) + pause }
        let fast: [UInt8] = [1] + samples.flatMap(step)
        let named: [UInt8] = [0] + names.flatMap { $0 } + [0, 200, 0, 200]
        return [slow, fast, named] + questions.map { [0] + $0 } + [sendingTooMuch]
    }

    private static func addTrust(to all: inout [String: [[UInt8]]]) throws {
        let laptop = CredentialsFile(key: FuzzedAccount.laptop)
        all["credentials"] = [laptop.bytes]
        all["certificate"] = [[0] + laptop.certificate.der, [1] + laptop.key.publicKey.spki]
        let record = FuzzedAccount.record
        let heading = Array("handoff-account/1\n".utf8)
        all["recovery-key"] = [Array(FuzzedAccount.recovery.text.utf8)]
        all["account"] = [Array(try record.encoded().dropFirst(heading.count).dropLast(32))]
        all["statements"] = [try RosterUpdate(statements: FuzzedAccount.statements).encoded()]
        let vector = try read("roster.json", as: Statements.self)
        all["signed-statement"] = try vector.statements.map { try bytes($0.statement) }
        let proof = [UInt8](repeating: 3, count: 32)
        let admission = EnrollMessage.Admission(proof: proof, roster: FuzzedAccount.update)
        all["admission"] = [try EnrollMessage.admission(admission).encoded()]
        let join = EnrollMessage.JoinRequest(
            proof: proof, name: DisplayText(cleaning: "phone"), kind: .phone, commitment: proof)
        all["enroll-frame"] = [
            try EnrollMessage.join(join).encoded(), try EnrollMessage.admission(admission).encoded(),
            try EnrollMessage.comparison(.init(proof: proof, nonce: proof)).encoded(),
            try EnrollMessage.opening(nonce: proof).encoded(),
            try EnrollMessage.refusal(Failure(.wrongCode, "wrong code"), triesLeft: 2).encoded(),
        ]
    }

    private static func addBundles(to all: inout [String: [[UInt8]]]) throws {
        let monkeyBrowser = repository.appending(path: "Examples/MonkeyBrowser/Bundle")
        let information = try String(contentsOf: monkeyBrowser.appending(path: "Info.plist"), encoding: .utf8)
        // The parser's bundle has only this executable.
        let named = information.replacing("<string>MonkeyBrowser</string>", with: "<string>Notes</string>")
        all["info-plist"] = [Array(named.utf8)]
        let quoted = #"Exec="/opt/My \"Notes\"/notes" --file=%f %i %c 100%% %U"#
        all["desktop-entry"] = [
            Array(
                """
                # Of an app.
                [Desktop Entry]
                Type=Application
                Name=Notes
                Name[de]=Notizen
                Icon=notes
                \(quoted)
                TryExec=notes
                Path=/opt
                Terminal=false
                DBusActivatable=true
                X-Handoff-ActivityTypes=com.example.notes.editing;a\\;b;
                X-Handoff-TeamID=NOTES12345

                [Desktop Action new]
                Exec=notes --new
                """.utf8)
        ]
        all["entitlements"] = [Array(try Data(contentsOf: monkeyBrowser.appending(path: "Entitlements.plist")))]
    }

    private static func addTeams(to all: inout [String: [[UInt8]]]) throws {
        let name = DisplayText(cleaning: "Notes & Sons")
        let team = try TeamKey.create(name: name, id: try TeamID("NOTES12345"), at: FuzzedBundle.time)
        all["manifest"] = [FuzzedBundle.manifest.bytes]
        all["signature"] = [try FuzzedBundle.manifest.signed(by: team, at: FuzzedBundle.time)]
        all["team-certificate"] = [[0] + team.team.der, [1] + Array(team.team.pem.utf8)]
        all["team-key-file"] = [try TeamKeyFile.bytes(of: team, passphrase: nil)]
    }

    private static func addApps(to all: inout [String: [[UInt8]]]) throws {
        let userInfo = try Value.dictionary([
            .string("page"): .signed(41), .string("seen"): .set([.date(0), .url("https://example.com/a b")]),
            .unsigned(1): .array([.null, .double(0.5), .uuid([UInt8](repeating: 3, count: 16)), .bytes([1, 2])]),
        ]).encoded()
        var attributes = ContentAttributes()
        attributes.entries = [
            "title": .string("Chapter 3"), "keywords": .array([.string("sea")]),
            "authors": .array([
                .dictionary([
                    .string("handleIdentifier"): .string("emailAddresses"),
                    .string("handles"): .array([.string("anna@example.com")]),
                ])
            ]), "importantDates": .array([.date(0)]),
        ]
        let state = ActivityState(
            type: try ActivityType("com.example.notes.editing"), title: "Chapter 3", userInfo: userInfo,
            webpageURL: "https://example.com/3?a=ü", referrerURL: "https://example.com/", expirationDate: 800_000_000,
            targetContentIdentifier: "chapter", persistentIdentifier: "3", keywords: ["sea", "sail"],
            requiredUserInfoKeys: ["page"], supportsStreams: true, isEligibleForSearch: true,
            isEligibleForPublicIndexing: true, isEligibleForPrediction: true, contentAttributes: attributes.encoded())
        let plain = ActivityState(type: try ActivityType("com.example.notes.editing"))
        all["activity-state"] = [try state.encoded(), try plain.encoded()]
        all["carried-state"] = try carriedStates() + [try plain.encoded()]
        let scene = SceneRecord(
            identifier: "1", role: "UIWindowSceneSessionRoleApplication", configuration: "Default",
            lastUsed: 800_000_000,
            activity: state, userInfo: userInfo)
        all["scene"] = [
            try scene.encoded(), try SceneRecord(identifier: "1", role: "", lastUsed: 0, activity: plain).encoded(),
        ]
    }

    /// Files as another device may name them: by URLs at every depth and in odd spellings, and by documents.
    private static func carriedStates() throws -> [[UInt8]] {
        var attributes = ContentAttributes()
        attributes.entries = ["thumbnailURL": .url("file:///home/anna/a.png"), "title": .string("a")]
        let url = Value.url("file:///home/anna/.ssh/id")
        let values: [Value] = [
            .dictionary([.string("NSUserActivityDocumentURL"): url]),
            .array([.url(" FILE:///a"), .url("fi\nle:///a"), .set([url, .null]), .dictionary([url: .document(0)])]),
            .set([.document(0), .document(15), .url("https://example.com/")]),
        ]
        let search = RawStates.field(
            RawStates.search, RawStates.field(RawStates.contentAttributes, attributes.encoded()))
        let referrer = RawStates.field(RawStates.referrerURL, Array("File:/etc/passwd".utf8))
        return try values.map { try RawStates.userInfo($0) + search + referrer }
    }

    private static func addAssociations(to all: inout [String: [[UInt8]]]) {
        let old = """
            {"applinks": {"apps": [], "details": [
             {"appID": "NOTES12345.com.example.notes", "paths": ["NOT /a", "/?*"]}]}}
            """
        let new = """
            {"activitycontinuation": {"apps": ["NOTES12345.com.example.notes"]}, "applinks": {
             "defaults": {"caseSensitive": false}, "substitutionVariables": {"food": ["pizza", "s?shi*"]}, "details": [
             {"appIDs": ["NOTES12345.com.example.notes"], "defaults": {"percentEncoded": false}, "components": [
              {"#": "no_links", "exclude": true, "comment": "a\\n\\u00fc"}, {"/": "/$(lang)_$(region)/*", "?": "?*"},
              {"/": "/buy/$(food)$(digit)*", "?": {"page": "$(xdigit)?"}, "percentEncoded": true}]}]}}
            """
        let mixed = """
            {"activitycontinuation": {"apps": [null, "NOTES12345.com.example.notes",],}, "applinks": {
             "defaults": {"/": "/*/", "?": {"page": "?*"}, "exclude": true}, "details": [null, {"paths": ["*"]},
             {"appID": "A", "appIDs": ["NOTES12345.com.example.notes"], "paths": ["*"], "components": [
              {"/": "buy//*", "exclude": false, "percentEncoded": false, "?": {"page": 4}},
              {"/": "//$(lang)/", "?": "*"}]}]}, "x": {"a": 1, "a": 2}}
            """
        let keyed = """
            {"applinks": {"apps": [], "details": {"NOTES12345.com.example.notes": {"paths": ["NOT buy/", "/*"]}}}}
            """
        let plain = "\u{FEFF}" + #"{"x": [null, true, -1.5e3, "", {}, []]}"#
        all["association"] = [old, new, plain, mixed, keyed].map { Array($0.utf8) }
        let claims = ["activitycontinuation:example.com", "applinks:*.example.com?mode=developer+managed"]
        let pages = ["https://example.com/a%20b?c=d#e", "http://xn--bcher-kva.example"]
        all["associated-domains"] = claims.map { [0] + Array($0.utf8) } + pages.map { [1] + Array($0.utf8) }
    }

    private static func addSites(to all: inout [String: [[UInt8]]]) throws {
        let host = try WebHost("notes.example.com")
        let json = SiteFile(
            bytes: Array(#"{"activitycontinuation":{"apps":["NOTES12345.com.example.notes"]}}"#.utf8),
            contentType: "application/json", etag: "W/\"7\"")
        let signed = SiteFile(bytes: [0x30, 0x80, 10, 10, 0, 0], contentType: nil, etag: nil)
        all["kept-site"] = [
            KeptSite(
                site: Site(host), place: .wellKnown, file: json, answered: FuzzedBundle.time,
                claimants: [try BundleID("com.example.notes"), try BundleID("com.example.mail")]),
            KeptSite(
                site: Site(host, reach: .anywhere), place: .root, file: signed, answered: FuzzedBundle.time,
                claimants: []),
        ].map { $0.encoded() }
        all["site-report"] = [
            SiteReport.answered(
                SiteReport.Answer(
                    status: 200, contentType: "application/json", contentLength: "2", etag: "\"1\"", body: [0x7B, 0x7D])
            ),
            .answered(SiteReport.Answer(status: 304, contentEncoding: "gzip")),
            .failed(.badCertificate, reason: "its certificate is for another host"),
        ].map(\.encoded)
        all["site-host"] = ["notes.example.com", "xn--bcher-kva.example"].map { Array($0.utf8) }
    }

    private static func addBrowser(to all: inout [String: [[UInt8]]]) throws {
        let activity = ActivityID(uncheckedBytes: Array(0..<16))
        let messages: [BrowserMessage] = [
            .hello(browser: "Firefox"), .page(BrowsedPage(url: "https://example.com/a?b=c#d", title: "Größe")),
            .goOn(request: 1, activity: activity, device: FuzzedAccount.laptop.id, inBrowser: true),
            .place(request: 2, PagePlace(scroll: 0.25, seconds: 61.5)), .opened(request: 3, problem: "no window"),
            .left, .look,
            .send(
                request: 4, page: BrowsedPage(url: "https://example.com/", title: "Rye"),
                to: .device(FuzzedAccount.laptop.id), PagePlace(scroll: 0.5)),
            .send(
                request: 7, page: BrowsedPage(url: "https://example.com/", title: "Rye"),
                to: .phone(try PhoneID("_a1_")), PagePlace()),
            .takeBack(request: 5, activity: activity), .openHandoff(request: 6),
        ]
        let bodies = try messages.map { try $0.json() }
        all["browser-message"] = bodies
        // In pieces of eight bytes.
        all["native-frames"] = [[7] + (try bodies.flatMap { body in try NativeFrame.framed(body) })]
        all["page-address"] = ["https://example.com/a%20b?c=d#e", "http://127.0.0.1:8080/"].map { Array($0.utf8) }
    }

    private static func addIcons(to all: inout [String: [[UInt8]]]) {
        all["icon-drawing"] = [
            IconDrawing(.name("firefox-esr"), emblem: "org.handoff.Handoff.laptop-emblem", size: 64),
            IconDrawing(.file("/opt/größe.svg", nil), emblem: nil, size: 48),
        ].compactMap { $0.framed.map { Array($0.dropFirst(FrameHeader.byteCount)) } }
        all["drawn-icon"] = [[1] + [255, 0, 0, 255] + PictureFormat.pngSignature]
        let svg = "<!-- drawn -->\n<svg xmlns=\"http://www.w3.org/2000/svg\"/>"
        all["picture-format"] = [PictureFormat.pngSignature, Array(svg.utf8), Array("\u{FEFF}\(svg)".utf8)]
    }

    private static func addDocuments(to all: inout [String: [[UInt8]]]) throws {
        all["document-frame"] = try frames("documents.json").map { Array($0.dropFirst(FrameHeader.byteCount)) }
        let lists = try frames("document-lists.json")
        // Also an empty list, for an empty file and an empty folder.
        all["chunk-list"] = [lists[0], []]
        all["package-manifest"] = [lists[1], []]
        let answers = try read("peer-frames.json", as: [Frame].self)
        guard let answer = answers.first(where: { $0.name == "fetched, with documents" }) else {
            throw WireError(.missingField, "no state with documents")
        }
        let fetched = try fields(16, of: try bytes(answer.hex).dropFirst(FrameHeader.byteCount))[0]
        all["document-reference"] = try fields(4, of: fetched).map { Array($0) }
        all["file-url"] = [
            "file:///home/anna/Letters/An%20Anna.txt", "FILE://LocalHost/Gr%C3%BC%c3%9fe;1/", "file:/%FF", "file:///",
        ].map { Array($0.utf8) }
    }

    /// The contents of that length-delimited field.
    private static func fields(_ number: UInt64, of message: ArraySlice<UInt8>) throws -> [ArraySlice<UInt8>] {
        var found: [ArraySlice<UInt8>] = []
        var rest = message
        func varint() throws -> UInt64 {
            var value: UInt64 = 0
            for shift in stride(from: 0, to: 64, by: 7) {
                guard let byte = rest.popFirst() else { break }
                value |= UInt64(byte & 127) << shift
                if byte < 128 { return value }
            }
            throw WireError(.malformed, "not a message")
        }
        while !rest.isEmpty {
            let tag = try varint()
            let value = try varint()
            guard tag & 7 == 2 else { continue }
            if tag >> 3 == number { found.append(rest.prefix(Int(value))) }
            rest = rest.dropFirst(Int(value))
        }
        return found
    }

    private static func names() throws -> [[UInt8]] {
        let texts = [
            "com.example.notes.editing", "com.example.notes", "NOTES12345", FuzzedAccount.laptop.id.description,
            FuzzedAccount.id.hex, "https://example.com/?a=b#c",
        ]
        return texts.enumerated().map { [UInt8($0.offset)] + Array($0.element.utf8) }
    }

    private static func addresses() throws -> [UInt8] {
        let device = FuzzedAccount.desktop.id.hex
        return Array("handoff-addresses 1\n\(device) 10.0.0.2:47474\n\(device) [fe80::1%eth0]:47474\n".utf8)
    }

    static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func frames(_ file: String) throws -> [[UInt8]] {
        try read(file, as: [Frame].self).map { try bytes($0.hex) }
    }

    private static func bytes(_ hex: String) throws -> [UInt8] {
        guard let bytes = [UInt8](hexadecimal: hex) else { throw WireError(.malformed, "not hexadecimal: \(hex)") }
        return bytes
    }

    private static func read<Content: Decodable>(_ file: String, as type: Content.Type) throws -> Content {
        try JSONDecoder().decode(
            type, from: Data(contentsOf: repository.appending(path: "Protocol/vectors/\(file)")))
    }
}
