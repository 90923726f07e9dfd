// SPDX-License-Identifier: Apache-2.0

import Foundation
import Handoff

final class DrawingServer: NSUserActivityDelegate {
    let activity = NSUserActivity(activityType: "com.example.server.serving")
    let drawing = Data(count: 1 << 20)

    func offer() {
        activity.userInfo = ["drawing": "harbour", "zoom": 4]
        activity.supportsContinuationStreams = true
        activity.delegate = self
    }

    func userActivity(
        _ userActivity: NSUserActivity, didReceive inputStream: InputStream, outputStream: OutputStream
    ) {
        outputStream.open()
        drawing.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = outputStream.write(
                    bytes.baseAddress!.assumingMemoryBound(to: UInt8.self) + sent, maxLength: bytes.count - sent)
                // Cut: outputStream.streamError says why.
                guard count > 0 else { break }
                sent += count
            }
        }
        outputStream.close()
        inputStream.close()
    }
}

func continueDrawing(_ userActivity: NSUserActivity) async throws -> Data {
    let (input, output) = try await userActivity.continuationStreams()
    output.close()
    var drawing = Data()
    for try await chunk in input.chunks { drawing += chunk }
    return drawing
}
