// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffApp

let help = "open FILE, sample, brightness N, contrast N, saturation N, show, save FILE, quit"

/// Unbuffered. If the terminal is gone, the app keeps running.
@MainActor func say(_ line: String) { try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8)) }

let app = PhotoHandoffApp { say($0) }

@MainActor func perform(_ line: String) {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    let rest = words.count > 1 ? words[1] : ""
    let file = URL(filePath: rest)
    switch words.first {
    case "open":
        guard let data = try? Data(contentsOf: file) else { return say("\(rest) cannot be read.") }
        app.open(file.lastPathComponent, data)
    case "sample": app.open("Sample.ppm", Picture.sample.ppm)
    case "brightness": app.set(\.brightness, Int(rest))
    case "contrast": app.set(\.contrast, Int(rest))
    case "saturation": app.set(\.saturation, Int(rest))
    case "show": say(app.result?.reduced(width: 64, height: 48).inBlocks ?? "Open a picture first.")
    case "save":
        guard let result = app.result else { return say("Open a picture first.") }
        let isSaved = (try? result.ppm.write(to: file, options: .atomic)) != nil
        say(isSaved ? "Saved as \(rest)." : "\(rest) cannot be written.")
    case "quit": HandoffApplication.shared.terminate()
    case nil: break
    default: say(help)
    }
}

// Reading blocks, so it runs on its own thread. The app keeps running at the end of its input, like an app that was
// started for an activity.
Thread.detachNewThread {
    while let line = readLine() { DispatchQueue.main.async { MainActor.assumeIsolated { perform(line) } } }
}

HandoffApplication.shared.delegate = app
HandoffApplication.shared.run()
