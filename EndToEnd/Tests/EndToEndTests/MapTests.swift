// SPDX-License-Identifier: Apache-2.0

import Foundation
import RealDevices
import Testing

/// A point in the real GNOME Maps, which needs no network for it.
@Suite(.serialized, .needsNamespaces, .enabled(if: HomePair.isInstalled("gnome-maps")))
struct MapTests {
    // Shows M05.
    @Test func pointContinues() throws {
        try Stage.play { stage in
            let pair = try HomePair.begin(on: stage, screens: true) { _ in
            } services: {
                try $0.start("ca.desrt.dconf", by: ["/usr/libexec/dconf-service"])
            }
            let (laptop, desktop) = (pair.laptop, pair.desktop)
            try laptop.handoff("programs", "on", "org.gnome.Maps")
            let watch = try desktop.watchActivities()
            _ = try laptop.start(program: ["gnome-maps", "geo:52.52,13.405"], name: "map")
            try watch.output.next("Berlin", within: .seconds(40)) { $0.contains("52.520000, 13.405000") }
            // In the running program.
            try laptop.run("gnome-maps", "geo:-33.8568,151.2153")
            let list = try watch.output.next("Sydney", within: .seconds(20)) { $0.contains("-33.856800, 151.215300") }
            let activity = try #require(try JSON(text: list).elements.first?["activity"]?.string)
            try desktop.handoff("programs", "on", "org.gnome.Maps")
            let back = try laptop.watchActivities()
            try desktop.handoff("activity", "continue", activity)
            try back.output.next("Sydney on the other device", within: .seconds(40)) {
                $0.contains("-33.856800, 151.215300")
            }
        }
    }
}
