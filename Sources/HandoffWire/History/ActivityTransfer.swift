// SPDX-License-Identifier: Apache-2.0

internal import SwiftProtobuf

/// Without the activity's state.
package struct ActivityTransfer: Hashable, Sendable {
    package enum Direction: Hashable, Sendable {
        case sent
        case received
    }

    package var time: WallTime
    package var direction: Direction
    /// Nil: a phone.
    package var device: DeviceID?
    package var deviceName: DisplayText
    package var type: ActivityType
    /// Nil: none, or deleted.
    package var title: DisplayText?
    /// Nil: a program without a bundle.
    package var app: BundleID?
    package var appName: DisplayText
    package var persistentIdentifier: ExactText?

    package init(
        _ direction: Direction, at time: WallTime, device: DeviceID?, deviceName: DisplayText, type: ActivityType,
        title: DisplayText?, app: BundleID?, appName: DisplayText, persistentIdentifier: ExactText? = nil
    ) {
        self.time = time
        self.direction = direction
        self.device = device
        self.deviceName = deviceName
        self.type = type
        self.title = title
        self.app = app
        self.appName = appName
        self.persistentIdentifier = persistentIdentifier
    }
}

extension ActivityTransfer {
    /// `app`: here, if it is not the offer's.
    package init(
        _ direction: Direction, _ offer: Offer, at time: WallTime, device: DeviceID, named name: DisplayText?,
        app: BundleID? = nil, persistentIdentifier: String? = nil
    ) {
        self.init(
            direction, at: time, device: device, deviceName: name ?? DisplayText(cleaning: device.short),
            type: offer.type, title: offer.title, app: app ?? offer.bundle, appName: offer.appName,
            persistentIdentifier: persistentIdentifier.map { ExactText($0) })
    }
}

extension PBActivityTransfer {
    init(_ transfer: ActivityTransfer) {
        self.init()
        timeMs = transfer.time.milliseconds
        received = transfer.direction == .received
        if let device = transfer.device { self.device = device.bytes.data }
        deviceName = transfer.deviceName.text
        activityType = transfer.type.name
        title = transfer.title?.text ?? ""
        appBundle = transfer.app?.name ?? ""
        appName = transfer.appName.text
        if let name = transfer.persistentIdentifier { persistentIdentifier = name.text }
    }
}

extension ActivityTransfer {
    init(_ message: PBActivityTransfer) throws(WireError) {
        self.init(
            message.received ? .received : .sent, at: WallTime(milliseconds: message.timeMs),
            device: message.device.isEmpty ? nil : try DeviceID(bytes: message.device),
            deviceName: .name(message.deviceName), type: try ActivityType(message.activityType),
            title: message.title.isEmpty ? nil : DisplayText(cleaning: message.title),
            app: message.appBundle.isEmpty ? nil : try BundleID(appOrProgram: message.appBundle),
            appName: .name(message.appName),
            persistentIdentifier: message.hasPersistentIdentifier ? ExactText(message.persistentIdentifier) : nil)
    }

    package func encoded() throws(WireError) -> [UInt8] { try PBActivityTransfer(self).bytes() }

    package init(encoded bytes: some Collection<UInt8>) throws(WireError) {
        try self.init(PBActivityTransfer.decode(bytes))
    }
}

extension PBActivityTransfers {
    init(_ transfers: [ActivityTransfer]) {
        self.init()
        self.transfers = transfers.map(PBActivityTransfer.init)
    }

    func read() throws(WireError) -> [ActivityTransfer] {
        var read: [ActivityTransfer] = []
        for transfer in transfers { read.append(try ActivityTransfer(transfer)) }
        return read
    }
}
