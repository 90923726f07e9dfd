// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestPrograms
import Testing

/// The sample that sends its photo through streams.
extension PortedAppTests {
    // Shows A33, D04, C02, C06, A34.
    @Test func aPhotoGoesThroughStreamsAndItsFilterInThePayload() async throws {
        let pair = try await Pair(with: .photo)
        let here = try await pair.laptop.open(.photo)
        try here.type("sample")
        try here.type("contrast 40")
        let shown = try await here.hear("contrast 40")
        let there = try await pair.desktop.open(.photo)
        try await pair.desktop.isOffered("Sample.ppm")
        try await pair.desktop.handoff("activity", "continue")
        try await there.hear("Loading Sample.ppm")
        #expect(try await there.hear("Sample.ppm, 320 x 200") == shown)
        try await here.hear("Sample.ppm has gone to another device.")
        // Identical to the last pixel.
        var pictures: [Data] = []
        for (app, name) in [(here, "here.ppm"), (there, "there.ppm")] {
            let file = pair.folder.url.appending(path: name)
            try app.type("save \(file.path)")
            try await app.hear("Saved as")
            pictures.append(try Data(contentsOf: file))
        }
        #expect(pictures[0].count > 100_000 && pictures[0] == pictures[1])
    }

    /// The app's saved activity arrives, but no app can send the photo.
    @Test func aPhotoWhoseAppHasQuitDoesNotCome() async throws {
        let pair = try await Pair(with: .photo)
        let here = try await pair.laptop.open(.photo)
        try here.type("sample")
        try await pair.desktop.isOffered("Sample.ppm")
        let there = try await pair.desktop.open(.photo)
        try await pair.desktop.handoff("activity", "continue")
        try await here.hear("has gone to another device.")
        try await there.hear("Sample.ppm, 320 x 200")
        try here.type("quit")
        #expect(await here.end() == 0)
        try await pair.desktop.isOffered("Sample.ppm")
        let report = try await pair.desktop.handoff("activity", "continue")
        do {
            try await there.hear("Sample.ppm did not come:")
        } catch {
            Issue.record("\(error)\nwhat the command said: \(report)")
        }
    }
}
