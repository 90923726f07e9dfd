// SPDX-License-Identifier: Apache-2.0

package import Foundation

extension Stage {
    /// Plays as the whole of a program: what goes wrong is said behind these words, and the program ends with it.
    package static func playAsProgram(
        orSay complaint: String, in folder: URL? = nil, _ scene: (Stage) throws -> Void
    ) {
        do {
            let scene = { (stage: Stage) in
                let interrupted = stage.endOnInterrupt()
                defer { interrupted.cancel() }
                try scene(stage)
            }
            if let folder { try play(in: folder, scene) } else { try play(scene) }
        } catch is BrokenOff {
            exit(130)
        } catch {
            FileHandle.standardError.write(Data("\(complaint): \(error)\n".utf8))
            exit(1)
        }
    }

    /// Ctrl-C leaves nothing behind either. Keep the result for as long as the scene plays, and cancel it then.
    private func endOnInterrupt() -> any DispatchSourceSignal {
        signal(SIGINT, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler { self.breakOff() }
        source.resume()
        return source
    }
}
