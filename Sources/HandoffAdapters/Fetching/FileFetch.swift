// SPDX-License-Identifier: Apache-2.0

import Glibc
import HandoffBus
import HandoffCore
import HandoffStrings
import HandoffSystem
import HandoffWire

/// Asks the user before a large file, and shows the progress of a long transfer.
final class FileFetch {
    /// Bytes of the largest file that is fetched without a question: a usual Wi-Fi takes less than `OpenedProgram.fetchTime`.
    static let maximumUnasked: Int64 = 64 << 20
    static let noticeDelay = Duration.seconds(2)
    static let noticeInterval = Duration.seconds(1)

    static let nameCharacters = 100

    private let file: FetchNotice.File
    private let path: DocumentPath
    private let arrival: ProgramParticipant.Arrival
    private let tools: OpenedProgram.Tools
    /// Nil: the user can neither be asked nor informed.
    private let notice: FetchNotice?
    private let arrived = ByteCounter()
    private var socket: SharedDescriptor?
    private var timer: LoopWatch?
    private var isCancelled = false

    init(
        _ path: DocumentPath, bytes: Int64, of arrival: ProgramParticipant.Arrival, _ tools: OpenedProgram.Tools,
        _ bus: BusConnection?
    ) {
        self.path = path
        self.arrival = arrival
        self.tools = tools
        let file = FetchNotice.File(
            name: DisplayText(cleaning: path.shownName, limit: Self.nameCharacters).text, device: arrival.device,
            bytes: bytes)
        let strings = LocalizedStrings(Language.preferred(in: tools.environment))
        self.file = file
        notice = bus.map { FetchNotice(file, strings, on: $0, tools.loop) }
    }

    /// `done` is called once, with the path of the copy.
    func start(_ done: @escaping (Result<String, BusFailure>) -> Void) {
        guard file.bytes > Self.maximumUnasked else { return transfer(done) }
        let refusal = BusFailure(
            HomeFile.missing,
            "this device has no file \(HomeFile.shown(path)), and could not ask whether to fetch its \(file.bytes.inBytes)"
        )
        guard let notice else { return done(.failure(refusal)) }
        notice.ask { [unowned self] answer in
            switch answer {
            case true?: transfer(done)
            case false?: done(.failure(.cancelled))
            case nil: done(.failure(refusal))
            }
        }
    }

    private func transfer(_ done: @escaping (Result<String, BusFailure>) -> Void) {
        tools.participant.openStream(of: arrival.continuation) { [weak self] result in
            guard let self else { return }
            switch result {
            case .success(let (stream, socket)):
                tools.participant.endStream(stream, bytes: 0) { shutdown(socket.number, CInt(SHUT_WR)) }
                receive(from: socket, done)
            case .failure(let failure): end(.failure(failure), done)
            }
        }
    }

    private func receive(from socket: SharedDescriptor, _ done: @escaping (Result<String, BusFailure>) -> Void) {
        self.socket = socket
        notice?.cancelled = { [unowned self] in cancel() }
        timer = tools.loop.after(Self.noticeDelay) { [unowned self] in report() }
        let (bytes, name, device, arrived) = (file.bytes, path.shownName, arrival.device, arrived)
        let receive = { @Sendable [home = tools.home] () -> Result<String, BusFailure>? in
            guard let folder = home.copies else {
                return .failure(BusFailure(BusFailure.failed, "the home folder is unknown"))
            }
            do throws(BusFailure) {
                return .success(
                    try FileTransfer.receive(
                        bytes, from: socket, as: name, of: device, in: folder, arrived: arrived))
            } catch {
                return .failure(error)
            }
        }
        tools.offLoop.run(receive) { [weak self] in
            self?.end($0 ?? .failure(.didNotStart("the home folder does not answer")), done)
        }
    }

    private func report() {
        notice?.show(progress: arrived.value)
        timer = tools.loop.after(Self.noticeInterval) { [unowned self] in report() }
    }

    private func cancel() {
        isCancelled = true
        if let socket { shutdown(socket.number, CInt(SHUT_RDWR)) }
    }

    private func end(_ result: Result<String, BusFailure>, _ done: (Result<String, BusFailure>) -> Void) {
        timer = nil
        socket = nil
        notice?.cancelled = {}
        notice?.close()
        done(isCancelled ? .failure(.cancelled) : result)
    }

    /// For a user who has not learned of the failure otherwise. `shown` is called once.
    func explain(_ failure: BusFailure, shown: @escaping () -> Void) {
        guard let notice, failure.name != BusFailure.cancelled.name else { return shown() }
        let code: Failure.Code = failure.name == FileTransfer.noRoom ? .documentNotPlaced : .deviceLost
        notice.show(Failure(code, failure.sentence), shown: shown)
    }
}

extension BusFailure {
    static let cancelled = BusFailure("org.handoff.Error.Cancelled", "the file was not fetched")
}
