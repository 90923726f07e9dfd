// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The sample whose photo goes through streams.
extension PortedAppTests {
    // Shows A33, D04, C02, C06.
    @Test func aPhotoGoesThroughStreamsAndItsFilterInThePayload() throws {
        let pair = try Pair(with: .photo)
        let here = try pair.laptop.open(.photo)
        try here.type("sample")
        try here.type("contrast 40")
        let shown = try here.hear("contrast 40")
        let there = try pair.desktop.open(.photo)
        try pair.desktop.isOffered("Sample.ppm")
        try pair.desktop.handoff("activity", "continue")
        try there.hear("Loading Sample.ppm")
        #expect(try there.hear("Sample.ppm, 320 x 200") == shown)
        try here.hear("Sample.ppm has gone to another device.")
        // The same to the last pixel.
        let pictures = try zip([here, there], ["here.ppm", "there.ppm"]).map { app, name in
            let file = pair.folder.url.appending(path: name)
            try app.type("save \(file.path)")
            try app.hear("Saved as")
            return try Data(contentsOf: file)
        }
        #expect(pictures[0].count > 100_000 && pictures[0] == pictures[1])
    }

    /// What the app had saved is there, but nobody who could give the photo.
    @Test func aPhotoWhoseAppHasQuitDoesNotCome() throws {
        let pair = try Pair(with: .photo)
        let here = try pair.laptop.open(.photo)
        try here.type("sample")
        try pair.desktop.isOffered("Sample.ppm")
        let there = try pair.desktop.open(.photo)
        try pair.desktop.handoff("activity", "continue")
        try here.hear("has gone to another device.")
        try there.hear("Sample.ppm, 320 x 200")
        try here.type("quit")
        #expect(try here.end() == 0)
        try pair.desktop.isOffered("Sample.ppm")
        try pair.desktop.handoff("activity", "continue")
        try there.hear("Sample.ppm did not come:")
    }
}
