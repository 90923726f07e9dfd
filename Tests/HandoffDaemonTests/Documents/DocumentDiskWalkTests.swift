// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffTesting
import HandoffTrust
import HandoffWire
import Testing

@testable import HandoffDaemon

/// The machine and a disk, with programs that write, delete and rename between any two steps, apps that do not save,
/// failing calls, and a user who cancels.
@Suite struct DocumentDiskWalkTests {
    @Test func noLocalContentIsLost() {
        var fates: Set<DocumentFate> = []
        for seed in 0..<200 as Range<UInt64> {
            var walk = Walk(seed: seed)
            for _ in 0..<12 { walk.handOver() }
            #expect(walk.violations.isEmpty, "seed \(seed)")
            fates.formUnion(walk.fates)
        }
        #expect(fates == [.same, .created, .replaced, .newerHere, .conflict, .copy])
    }

    private struct Walk: ~Copyable {
        static let root = try! AbsolutePath("/")
        static let letter = try! AbsolutePath("/home/user/Letters/Letter.txt")
        static let elsewhere = try! AbsolutePath("/home/user/Letters/Old/First.txt")

        let files = MemoryDocumentFiles()
        var random: Randomness
        var violations: [String] = []
        private(set) var fates: Set<DocumentFate> = []
        /// Contents of other programs that no other program has overwritten.
        private var kept: Set<[UInt8]> = []
        private var written = 0
        /// The number of changes by other programs.
        private var disturbances = 0
        private var history = DocumentFixture.history([])
        private var versions: UInt8 = 0
        /// The earlier contents of the origin.
        private var origin: [[UInt8]] = []

        init(seed: UInt64) { random = .seeded(seed) }

        private mutating func happens(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

        private mutating func content() -> [UInt8] {
            written += 1
            return Array("content \(written)".utf8)
        }

        // MARK: Others

        private mutating func disturb() {
            let event = Int.random(in: 0..<30, using: &random)
            if event < 5 { disturbances += 1 }
            switch event {
            case 0: write(content(), at: Self.letter)
            // A sync tool was faster.
            case 1: write(origin.last ?? [], at: Self.letter)
            case 2: write(origin.randomElement(using: &random) ?? [], at: Self.letter)
            case 3:
                if let bytes = files.bytes(at: Self.letter) { kept.remove(bytes) }
                files.remove(Self.letter)
            case 4:
                guard files.bytes(at: Self.letter) != nil else { return }
                if let bytes = files.bytes(at: Self.elsewhere) { kept.remove(bytes) }
                try? files.move(Self.letter, to: Self.elsewhere)
            default: break
            }
        }

        private mutating func write(_ bytes: [UInt8], at path: AbsolutePath) {
            if let old = files.bytes(at: path) { kept.remove(old) }
            kept.insert(bytes)
            files.write(bytes, at: path, keepsNumber: Bool.random(using: &random))
        }

        // MARK: Transfers

        mutating func handOver() {
            disturb()
            // Sometimes by a third device, which has an old version.
            if origin.isEmpty || !happens(20) { origin.append(happens(10) ? origin.first ?? [] : content()) }
            let last = happens(80) ? origin.count - 1 : Int.random(in: 0..<origin.count, using: &random)
            let sent = origin[last]
            let hash = FileDigest(of: sent)
            var reference = DocumentFixture.reference(nil)
            reference.size = UInt64(sent.count)
            reference.known = origin[..<last].map { FileDigest(of: $0) }
            if !happens(15) { reference.hash = hash }
            let storage = DocumentStorage(
                name: "memory", isShared: happens(5), readOnly: happens(5) ? "read-only file system" : nil)
            files.setStorage(storage, of: DocumentFixture.folder)
            if happens(15) { failSomeCall() }
            let before = files.files(below: DocumentFixture.folder).count
            let disturbancesBefore = disturbances
            let outcome = run(reference, sent, storage)
            if let outcome { check(outcome, sent, hash) }
            if files.arrivals != 0 { violations.append("an arrival is left") }
            let more = files.files(below: DocumentFixture.folder).count - before
            if disturbances == disturbancesBefore, more > 1 { violations.append("\(more) files of one hand-over") }
            checkKept()
        }

        private mutating func failSomeCall() {
            let calls: [MemoryDocumentFiles.Call] = [.look, .find, .begin, .append, .arrivedHash, .sync, .place]
            let codes: [Failure.Code] = [.internal, .documentNotPlaced, .notAllowed, .documentGone]
            guard let call = calls.randomElement(using: &random), let code = codes.randomElement(using: &random) else {
                return
            }
            files.fail(call, after: Int.random(in: 0..<2, using: &random), with: Failure(code, "broken"))
        }

        private mutating func run(
            _ reference: DocumentReference, _ sent: [UInt8], _ storage: DocumentStorage
        ) -> DocumentTransferStateMachine.Finished? {
            var machine = DocumentTransferStateMachine(
                reference: reference,
                target: .container(
                    DocumentFixture.container, folder: DocumentFixture.folder, storage: storage, history: history),
                continuation: .random(using: &random), rate: nil)
            var now = Instant.zero
            var arrival: (any DocumentArrival)?
            var action = machine.begin(at: now)
            for _ in 0..<60 {
                disturb()
                do throws(Failure) {
                    switch action {
                    case .look(let place, let asPackage, let hashing):
                        let sight = Result { [files] () throws(Failure) in
                            try files.look(at: place, asPackage: asPackage, hashing: hashing)
                        }
                        note(try? sight.get())
                        action = machine.looked(sight, at: now)
                    case .find(let file, let size, let hash, let folder):
                        let path = Result { [files] () throws(Failure) in
                            try files.find(file, size: size, hash: hash, in: folder)
                        }
                        action = machine.searched(path, at: now)
                    case .askApps: action = machine.appsLetGo(isSaved: !happens(10), at: now)
                    case .fetch(let form, let place, let basis):
                        let room = try files.begin(
                            .whole(size: UInt64(sent.count)), for: place, basis: basis, left: nil)
                        arrival = room
                        if form != .whole { violations.append("\(form)") }
                        try room.append(sent)
                        action = machine.arrived(try room.hash(), at: now)
                    case .place(let place, let replaces, let keepsCopy):
                        if happens(5) { _ = machine.cancelled() }
                        let outcome = try put(arrival, place, replaces: replaces, keepsCopy: keepsCopy)
                        if case .placed(_, let found) = outcome {
                            note(.found(found))
                            kept.insert(sent)
                        }
                        action = machine.placed(outcome, at: now)
                    case .placeBeside(let place):
                        action = machine.placed(try putBeside(arrival, place), at: now)
                    case .wait(let until):
                        now = until
                        action = machine.deadlineReached(at: now)
                    case .finish(let finished):
                        arrival?.discard()
                        return finished
                    case .placeExactly:
                        violations.append("there is one name")
                        return nil
                    case .fail, .nothing:
                        arrival?.discard()
                        return nil
                    }
                } catch {
                    action = machine.failed(error, at: now)
                }
                if happens(1) { action = machine.cancelled() }
            }
            violations.append("no end")
            return nil
        }

        private mutating func note(_ sight: DocumentSnapshot?) {
            guard case .found(let found)? = sight, let hash = found.hash else { return }
            history.note(hash, of: found.version.file, at: WallTime(milliseconds: 0))
        }

        private mutating func put(
            _ arrival: (any DocumentArrival)?, _ place: DocumentLocation, replaces: FileVersion?, keepsCopy: Bool
        ) throws(Failure) -> PlacementOutcome {
            guard let arrival else { throw Failure(.internal, "nothing has arrived") }
            try arrival.sync(modified: FileTime(nanoseconds: 1), mode: 0o644)
            let copy = keepsCopy ? try name(beside: place) : nil
            // At the last possible moment.
            if happens(10) {
                disturbances += 1
                let bytes = content()
                if let old = files.bytes(at: Self.letter) { kept.remove(old) }
                kept.insert(bytes)
                files.beforePlace { $0.write(bytes, at: Self.letter) }
            }
            return try arrival.place(order(place, replaces: replaces, copy: copy))
        }

        private mutating func putBeside(
            _ arrival: (any DocumentArrival)?, _ place: DocumentLocation
        ) throws(Failure) -> PlacementOutcome {
            guard let arrival, case .container(let folder, _) = place, let name = try name(beside: place) else {
                throw Failure(.internal, "nothing has arrived")
            }
            try arrival.sync(modified: FileTime(nanoseconds: 1), mode: 0o644)
            return try arrival.place(order(.container(folder: folder, name), replaces: nil, copy: nil))
        }

        private func name(beside place: DocumentLocation) throws(Failure) -> DocumentPath? {
            guard case .container(_, let path) = place else { return nil }
            return try DocumentName.conflictCopy(
                of: path, device: DisplayText(cleaning: "Desk"), at: WallTime(milliseconds: 0), offset: 0,
                among: try files.names(beside: place))
        }

        private mutating func order(
            _ place: DocumentLocation, replaces: FileVersion?, copy: DocumentPath?
        ) -> PlacementOrder {
            versions += 1
            return PlacementOrder(
                place: place, replaces: replaces, conflictCopy: copy,
                version: VersionID(uncheckedBytes: [UInt8](repeating: versions, count: 16)),
                now: WallTime(milliseconds: 0), deviceName: DisplayText(cleaning: "Laptop"))
        }

        // MARK: Invariants

        private mutating func check(
            _ finished: DocumentTransferStateMachine.Finished, _ sent: [UInt8], _ hash: FileDigest
        ) {
            fates.insert(finished.fate)
            switch finished.fate {
            case .same, .created, .replaced, .conflict, .copy:
                if finished.hash != hash { violations.append("\(finished.fate), and it is another one") }
                if finished.path == nil { violations.append("\(finished.fate), and it lies nowhere") }
            case .newerHere: if finished.hash == hash { violations.append("newer, and the same") }
            case .pending, .notTakenAlong: violations.append("\(finished.fate)")
            }
            if finished.fate == .copy, finished.note == nil { violations.append("a copy without a word") }
        }

        private mutating func checkKept() {
            // Including kept versions and copies.
            let there = Set(files.files(below: Self.root).compactMap { files.bytes(at: $0) })
            for bytes in kept where !there.contains(bytes) {
                violations.append("\(String(decoding: bytes, as: UTF8.self)) is lost")
            }
        }
    }
}
