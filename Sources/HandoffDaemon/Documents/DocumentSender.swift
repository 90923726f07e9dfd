// SPDX-License-Identifier: Apache-2.0

import HandoffCore
import HandoffWire

/// Off the loop, as fast as the other device takes it.
final class DocumentSender {
    /// Bytes read but not sent.
    static let ahead = 2 * Limits.documentDataBytes
    /// Bytes. The loop encrypts and sends them in one turn.
    static let read = 256 * 1024

    private let end: DaemonStreamEnd
    private let place: DocumentLocation
    private let isPackage: Bool
    private let files: any DocumentFiles
    private let lane: any WorkLane
    private var machine = DocumentSenderStateMachine()
    private var reader = DocumentStreamReader()
    private var opened: Opened?
    private var outgoing: [ArraySlice<UInt8>] = []
    private var outgoingBytes = 0
    private var isReading = false
    private var isLast = false
    /// At most once, with the content's hash.
    var sent: ((FileDigest) -> Void)?
    var ended: (() -> Void)?

    init(
        _ place: DocumentLocation, isPackage: Bool, on end: DaemonStreamEnd, files: any DocumentFiles, work: any Work
    ) {
        self.end = end
        self.place = place
        self.isPackage = isPackage
        self.files = files
        lane = work.makeLane()
        end.user = self
    }

    func cut(_ failure: Failure) {
        end.cut(failure)
        isOver()
    }

    private func isOver() {
        lane.cancel()
        opened = nil
        let ended = ended.take()
        ended?()
    }

    private func carryOut(_ action: DocumentSenderStateMachine.Action) {
        switch action {
        case .open(let form): open(form)
        case .sayHead:
            guard let opened else { return }
            say(.head(opened.head))
            if let list = opened.list { put(list[...]) }
            if machine.isSending { readOn() }
        case .select(let wish): select(wish)
        case .read: readOn()
        case .send(let bytes):
            say(.data(bytes.count))
            put(bytes[...])
            readOn()
        case .finish(let hash):
            isLast = true
            say(.tail(hash))
            sent.take()?(hash)
        case .fail(let failure, let says):
            guard says else { return cut(failure) }
            isLast = true
            say(.failure(failure))
        case .nothing: break
        }
        send()
    }

    // MARK: The disk

    private func open(_ form: DocumentForm) {
        job({ [files, place, isPackage] () throws(Failure) in
            let source = try files.open(place, asPackage: isPackage)
            guard (form == .members) == isPackage else {
                throw Failure(.malformed, "the document was requested in a form that it does not have")
            }
            var head = source.head
            var items: Int?
            var list: [UInt8]?
            switch form {
            case .whole: try source.select(nil)
            case .chunks:
                let chunks = try source.chunks()
                (items, list) = (chunks.chunks.count, try Self.bytes(chunks.encoded))
            case .members:
                let manifest = try source.manifest()
                (items, list) = (manifest.members.count, try Self.bytes(manifest.encoded))
            }
            head.listBytes = list?.count ?? 0
            guard head.listBytes <= Limits.documentListBytes else {
                throw Failure(.limitReached, "the document's chunk list is too long")
            }
            return Opened(source: source, head: head, list: list, items: items)
        }) { [weak self] opened in
            guard let self else { return }
            self.opened = opened
            carryOut(machine.opened(items: opened.items))
        }
    }

    private static func bytes(_ encode: () throws(WireError) -> [UInt8]) throws(Failure) -> [UInt8] {
        do throws(WireError) { return try encode() } catch { throw Failure(.limitReached, error.reason) }
    }

    private func select(_ wish: DocumentWish) {
        guard let source = opened?.source else { return }
        job({ () throws(Failure) in try source.select(wish) }) { [weak self] in
            guard let self else { return }
            carryOut(machine.selected())
        }
    }

    private func readOn() {
        guard machine.isSending, !isReading, outgoingBytes < Self.ahead, let source = opened?.source else { return }
        isReading = true
        job({ () throws(Failure) in
            let bytes = try source.next(Self.read)
            guard bytes.isEmpty else { return Read(bytes: bytes, last: nil) }
            return Read(bytes: [], last: (try source.hash(), source.isUnchanged()))
        }) { [weak self] (read: Read) in
            guard let self else { return }
            isReading = false
            carryOut(machine.read(read.bytes, last: read.last))
        }
    }

    private func job<Value: Sendable>(
        _ body: @escaping @Sendable () throws(Failure) -> Value, then: @escaping (Value) -> Void
    ) {
        lane.attempt(body, failed: { [weak self] in self?.failed($0) }, then: then)
    }

    private func failed(_ failure: Failure) { carryOut(machine.failed(failure)) }

    // MARK: The stream

    private func say(_ message: DocumentMessage) {
        // No message here exceeds the frame limit.
        if let bytes = try? message.framed() { put(bytes[...]) }
    }

    private func put(_ bytes: ArraySlice<UInt8>) {
        outgoing.append(bytes)
        outgoingBytes += bytes.count
    }

    private func send() {
        while let first = outgoing.first {
            let count = end.send(first)
            outgoingBytes -= count
            guard count == first.count else {
                outgoing[0] = first.dropFirst(count)
                break
            }
            outgoing.removeFirst()
        }
        if outgoing.isEmpty, isLast {
            isLast = false
            end.finish()
        }
        readOn()
    }

    private struct Opened: Sendable {
        let source: any DocumentSource
        let head: DocumentHead
        let list: [UInt8]?
        let items: Int?
    }

    private struct Read: Sendable {
        let bytes: [UInt8]
        let last: (hash: FileDigest, isUnchanged: Bool)?
    }
}

extension DocumentSender: DaemonStreamUser {
    func streamHasRoom(_ end: DaemonStreamEnd) { send() }

    func streamHasBytes(_ end: DaemonStreamEnd) {
        // Requests are short.
        while end.untaken > 0 {
            reader.append(end.take(64 * 1024))
            do throws(WireError) {
                while let piece = try reader.next() { carryOut(machine.came(piece)) }
            } catch {
                return carryOut(machine.failed(Failure(.malformed, error.reason)))
            }
        }
        if end.isAtEnd, machine.hasEnded, outgoing.isEmpty { isOver() }
    }

    func streamClosed(_ end: DaemonStreamEnd, inOrder: Bool) {
        if !machine.hasEnded { _ = machine.lost() }
        isOver()
    }
}

struct NamedFiles: Sendable {
    let urls: [ExactText]

    /// Nil if `userInfo` names no file or cannot be read. Scanning the bytes avoids most decoding.
    init?(in userInfo: [UInt8]) {
        guard Self.mayName(userInfo), let root = try? Value(encoded: userInfo) else { return nil }
        var urls: Set<ExactText> = []
        root.visit { if case .url(let text) = $0, FileURL.isOne(text.text) { urls.insert(text) } }
        guard !urls.isEmpty else { return nil }
        self.urls = urls.sorted()
    }

    private static func mayName(_ bytes: [UInt8]) -> Bool {
        let wanted = Array("file:".utf8)
        return bytes.withUnsafeBufferPointer { bytes in
            guard bytes.count >= wanted.count else { return false }
            for start in 0...bytes.count - wanted.count where bytes[start] | 0x20 == wanted[0] {
                var length = 1
                while length < wanted.count, bytes[start + length] | 0x20 == wanted[length] { length += 1 }
                // The colon already has that bit.
                if length == wanted.count { return true }
            }
            return false
        }
    }
}

struct TransferRate: Hashable, Sendable {
    /// Shorter transfers are not measured.
    static let least: UInt64 = 1 << 20

    private(set) var bytesPerSecond: UInt64?
    private var began: Instant?

    init(lately bytesPerSecond: UInt64?) { self.bytesPerSecond = bytesPerSecond }

    mutating func begin(at now: Instant) { began = now }

    mutating func end(after byteCount: UInt64, at now: Instant) {
        bytesPerSecond = self.bytesPerSecond(after: byteCount, at: now) ?? bytesPerSecond
        began = nil
    }

    func bytesPerSecond(after byteCount: UInt64, at now: Instant) -> UInt64? {
        guard let began, byteCount >= Self.least else { return nil }
        let (seconds, attoseconds) = began.duration(to: now).components
        let elapsed = Double(seconds) + Double(attoseconds) / 1e18
        // Within the clock's resolution.
        guard elapsed > 0 else { return nil }
        return UInt64(min(Double(byteCount) / elapsed, 1e15))
    }
}
