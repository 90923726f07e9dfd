// SPDX-License-Identifier: Apache-2.0

// A stream server, as Apple's guide has it: the origin answers on the streams that the other device asked for. Ported: the
// import. It compiles; the streams themselves are not there yet, and whoever asks for them is told so.

import Foundation
import HandoffApp

class StreamServer: NSObject, NSUserActivityDelegate {
    let activity = NSUserActivity(activityType: "com.example.server.serving")

    override init() {
        super.init()
        activity.title = "Large drawing"
        activity.delegate = self
        activity.supportsContinuationStreams = true
        activity.becomeCurrent()
    }

    func userActivity(
        _ userActivity: NSUserActivity, didReceive inputStream: InputStream, outputStream: OutputStream
    ) {
        inputStream.open()
        outputStream.open()
        let answer = [UInt8]("the drawing".utf8)
        _ = outputStream.write(answer, maxLength: answer.count)
        outputStream.close()
        inputStream.close()
    }
}

class StreamClientAppDelegate: UIResponder, UIApplicationDelegate {
    var server: StreamServer?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        User.says = { [weak self] _ in
            self?.server = StreamServer()
            report("serving")
        }
        return true
    }

    func application(
        _ application: UIApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([UIUserActivityRestoring]?) -> Void
    ) -> Bool {
        report("supports streams \(userActivity.supportsContinuationStreams)")
        if userActivity.supportsContinuationStreams {
            userActivity.getContinuationStreams { inputStream, outputStream, error in
                guard let inputStream, let outputStream else {
                    return report("no streams: \((error as? CocoaError)?.code.rawValue ?? 0)")
                }
                inputStream.open()
                outputStream.open()
            }
        }
        return true
    }
}
