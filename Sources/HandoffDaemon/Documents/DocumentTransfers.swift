// SPDX-License-Identifier: Apache-2.0

internal import HandoffCore
internal import HandoffWire

/// One continuation's documents, one after the other.
final class DocumentTransfers {
    static let progressEvery = Duration.milliseconds(250)

    let wishes: DocumentWishes
    private var waiting: [DocumentReference]
    private let make: (DocumentReference) -> DocumentTransfer
    private let time: any TimeSource
    private let tell: (DocumentProgress) -> Void
    private var transfer: DocumentTransfer?
    private var alarm: (any Alarm)?
    private var brought: [UInt32: DeliveredDocument] = [:]
    private(set) var held: [DocumentTransfer] = []
    private var then: ((Result<[UInt32: DeliveredDocument], Failure>) -> Void)?
    /// For each document; after a failure, with the partial arrival.
    private let ended: (DocumentTransfer, (any DocumentArrival)?) -> Void

    init(
        _ references: [DocumentReference], _ wishes: DocumentWishes, time: any TimeSource,
        make: @escaping (DocumentReference) -> DocumentTransfer, tell: @escaping (DocumentProgress) -> Void,
        ended: @escaping (DocumentTransfer, (any DocumentArrival)?) -> Void
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
        transfer?.cancel()
        stop()
    }

    private func next() {
        guard let reference = waiting.popLast() else { return end(.success(brought)) }
        let transfer = make(reference)
        self.transfer = transfer
        alarm?.set(time.now.advanced(by: Self.progressEvery))
        transfer.begin { [weak self, ended] result, left in
            ended(transfer, left)
            guard let self else { return }
            self.transfer = nil
            switch result {
            case .success(let document):
                brought[reference.index] = document
                if transfer.isWaitingForApp { held.append(transfer) }
                next()
            case .failure(let failure): end(.failure(failure))
            }
        }
    }

    private func report() {
        guard let transfer, then != nil else { return }
        tell(transfer.progress(at: time.now))
        alarm?.set(time.now.advanced(by: Self.progressEvery))
    }

    private func end(_ result: Result<[UInt32: DeliveredDocument], Failure>) {
        stop()
        let then = then.take()
        then?(result)
    }

    private func stop() { alarm?.set(nil) }
}
