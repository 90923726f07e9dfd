// SPDX-License-Identifier: Apache-2.0

import Foundation
import HandoffApp

let help = "add TEXT, open N, write TEXT, tick, list, quit"

func say(_ line: String) {
    // If the terminal is gone, the app keeps running.
    try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
}

// Two ways to write the same app.
let app = ToDoApp(say: say)
let declarative = CommandLine.arguments.contains("--declarative") ? DeclarativeToDo(say: say) : nil

@MainActor func perform(_ line: String) {
    guard let app: any Commands = declarative == nil ? app : declarative?.face else { return }
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    let rest = words.count > 1 ? words[1] : ""
    switch words.first {
    case "add": app.add(rest)
    case "open": app.open(Int(rest) ?? 0)
    case "write": app.write(rest)
    case "tick": app.tick()
    case "list": app.open(nil)
    case "quit": HandoffApplication.shared.terminate()
    case nil: break
    default: print(help)
    }
}

// Reading blocks, so it runs on its own thread. The app keeps running at the end of its input, like an app that was
// started for an activity.
Thread.detachNewThread {
    while let line = readLine() { DispatchQueue.main.async { MainActor.assumeIsolated { perform(line) } } }
}

if declarative == nil {
    HandoffApplication.shared.delegate = app
    app.turn()
}
HandoffApplication.shared.run()
