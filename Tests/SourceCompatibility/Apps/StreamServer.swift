// SPDX-License-Identifier: Apache-2.0

// A drawing too large for a payload, as in Apple's guide and Microsoft's article: the continuing app requests streams
// and sends a request, and the origin answers, both with delegates on the main run loop. Ported: the import.

import Foundation
import HandoffApp

/// One side of a conversation: writes its data, and reads until the other side has finished.
final class Conversation: NSObject, StreamDelegate, @unchecked Sendable {
    let inputStream: InputStream
    let outputStream: OutputStream
    private var outgoing = Data()
    private var incoming = Data()
    private var hasSpace = false
    private var isComplete = false
    /// Called once with all data of the other side; nil if the conversation was cut.
    private let received: (Conversation, Data?) -> Void

    init(
        _ inputStream: InputStream, _ outputStream: OutputStream, received: @escaping (Conversation, Data?) -> Void
    ) {
        self.inputStream = inputStream
        self.outputStream = outputStream
        self.received = received
        super.init()
        for stream in [inputStream, outputStream] {
            stream.delegate = self
            stream.schedule(in: .main, forMode: .default)
            stream.open()
        }
    }

    /// Must be called on the main thread, with all the data.
    func say(_ data: Data) {
        outgoing = data
        isComplete = true
        if hasSpace { write() }
    }

    private func write() {
        hasSpace = false
        guard isComplete else { return hasSpace = true }
        guard !outgoing.isEmpty else { return outputStream.close() }
        let count = outgoing.withUnsafeBytes {
            outputStream.write($0.bindMemory(to: UInt8.self).baseAddress!, maxLength: $0.count)
        }
        if count > 0 { outgoing = Data(outgoing.dropFirst(count)) }
    }

    func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
        switch eventCode {
        case .hasBytesAvailable:
            var buffer = [UInt8](repeating: 0, count: 1024)
            let count = inputStream.read(&buffer, maxLength: buffer.count)
            if count > 0 { incoming.append(buffer, count: count) }
        case .hasSpaceAvailable:
            write()
        case .endEncountered:
            aStream.close()
            aStream.remove(from: .main, forMode: .default)
            received(self, incoming)
        case .errorOccurred:
            report("stream error: \(aStream.streamError?.localizedDescription ?? "none")")
            received(self, nil)
        default:
            break
        }
    }
}

class StreamServer: NSObject, NSUserActivityDelegate {
    let activity = NSUserActivity(activityType: "com.example.server.serving")
    private let drawing: Data
    private var conversations: [Conversation] = []

    init(size: Int) {
        drawing = Data((0..<size).map { UInt8($0 % 251) })
        super.init()
        activity.title = "Large drawing"
        activity.delegate = self
        activity.supportsContinuationStreams = true
        activity.becomeCurrent()
    }

    func userActivity(
        _ userActivity: NSUserActivity, didReceive inputStream: InputStream, outputStream: OutputStream
    ) {
        let drawing = drawing
        conversations.append(
            Conversation(inputStream, outputStream) { conversation, question in
                guard let question else { return }
                report("asked \(String(decoding: question, as: UTF8.self))")
                conversation.say(drawing)
            })
    }
}

class StreamClientAppDelegate: UIResponder, UIApplicationDelegate {
    var server: StreamServer?
    var conversation: Conversation?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        User.says = { [weak self] line in
            if line == "no streams" {
                self?.server?.activity.supportsContinuationStreams = false
            } else {
                self?.server = StreamServer(size: Int(line) ?? 0)
            }
            report("serving")
        }
        return true
    }

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        report("supports streams \(userActivity.supportsContinuationStreams)")
        guard userActivity.supportsContinuationStreams else { return true }
        userActivity.getContinuationStreams { inputStream, outputStream, error in
            guard let inputStream, let outputStream else {
                return report("no streams: \((error as? CocoaError)?.code.rawValue ?? 0)")
            }
            let conversation = Conversation(inputStream, outputStream) { _, drawing in
                guard let drawing else { return }
                let isWhole = drawing.enumerated().allSatisfy { $0.element == UInt8($0.offset % 251) }
                report("drawing of \(drawing.count) bytes, \(isWhole ? "whole" : "damaged")")
            }
            DispatchQueue.main.async {
                self.conversation = conversation
                conversation.say(Data("the drawing, please".utf8))
            }
        }
        return true
    }
}
