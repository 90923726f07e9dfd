// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms
import Testing

// Shows L08, L09, V06, N10, N12, N15, P01, P03, T03, T06, T07, L01, L06, W04: the command line as people and scripts
// see it. Transcripts/ contains the input and output.
@Suite struct TranscriptTests {
    @Test(arguments: try Self.transcripts("alone"))
    func withoutADaemon(name: String) async throws { try await play(name) }

    @Test(.enabled("handoffd is not built") { await Self.hasDaemon }, arguments: try Self.transcripts("daemon"))
    func withDaemons(name: String) async throws { try await play(name) }

    private func play(_ name: String) async throws {
        try await Session().play(Transcript(try String(contentsOfFile: "\(Self.folder)/\(name)", encoding: .utf8)))
    }

    private static let folder = Bundle.module.path(forResource: "Transcripts", ofType: nil) ?? ""

    private static func transcripts(_ part: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder)
            .filter { $0.hasPrefix(part + "/") && $0.hasSuffix(".txt") }.sorted()
    }

    private static var hasDaemon: Bool {
        get async {
            guard let help = try? Program([Program.built + "/handoffd", "--help"], environment: [:]) else {
                return false
            }
            return await help.end() == 0 && help.output.contains("--root")
        }
    }
}
