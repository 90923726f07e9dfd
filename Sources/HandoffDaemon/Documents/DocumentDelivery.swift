// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

/// Transfers all documents of one continuation, one after the other.
final class DocumentDelivery {
    static let progressEvery = Duration.milliseconds(250)

    let wishes: DocumentWishes
    private var waiting: [DocumentReference]
    private let make: (DocumentReference) -> DocumentErrand
    private let time: any TimeSource
    private let tell: (DocumentProgress) -> Void
    private var errand: DocumentErrand?
    private var alarm: (any Alarm)?
    private var brought: [UInt32: DeliveredDocument] = [:]
    private(set) var held: [DocumentErrand] = []
    private var then: ((Result<[UInt32: DeliveredDocument], Failure>) -> Void)?
    /// Called for each document with the partial arrival, if the transfer failed.
    private let ended: (DocumentErrand, (any DocumentArrival)?) -> Void

    init(
        _ references: [DocumentReference], _ wishes: DocumentWishes, time: any TimeSource,
        make: @escaping (DocumentReference) -> DocumentErrand, tell: @escaping (DocumentProgress) -> Void,
        ended: @escaping (DocumentErrand, (any DocumentArrival)?) -> Void
    ) {
        self.wishes = wishes
        self.time = time
        self.make = make
        self.tell = tell
        self.ended = ended
        waiting = references.reversed()
    }

    func begin(then: @escaping (Result<[UInt32: DeliveredDocument], Failure>) -> Void) {
        self.then = then
        alarm = time.makeAlarm { [weak self] in self?.report() }
        next()
    }

    func cancel() {
        then = nil
        waiting = []
        errand?.cancel()
        stop()
    }

    private func next() {
        guard let reference = waiting.popLast() else { return end(.success(brought)) }
        let errand = make(reference)
        self.errand = errand
        alarm?.set(time.now.advanced(by: Self.progressEvery))
        errand.begin { [weak self, ended] result, left in
            ended(errand, left)
            guard let self else { return }
            self.errand = nil
            switch result {
            case .success(let document):
                brought[reference.index] = document
                if errand.isWaitingForApp { held.append(errand) }
                next()
            case .failure(let failure): end(.failure(failure))
            }
        }
    }

    private func report() {
        guard let errand, then != nil else { return }
        tell(errand.progress(at: time.now))
        alarm?.set(time.now.advanced(by: Self.progressEvery))
    }

    private func end(_ result: Result<[UInt32: DeliveredDocument], Failure>) {
        stop()
        let then = then.take()
        then?(result)
    }

    private func stop() { alarm?.set(nil) }
}
