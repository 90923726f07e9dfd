// SPDX-License-Identifier: Apache-2.0

package import Foundation

extension Stage {
    /// Plays as a whole program. An error is printed after `complaint`, and ends the program.
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

    /// Cleans up after Ctrl-C too. Keep the result during the scene, then cancel it.
    private func endOnInterrupt() -> any DispatchSourceSignal {
        signal(SIGINT, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        source.setEventHandler { self.breakOff() }
        source.resume()
        return source
    }
}
