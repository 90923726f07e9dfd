// SPDX-License-Identifier: Apache-2.0

internal import HandoffDaemon
internal import HandoffHost
internal import HandoffWire

extension DocumentPlaces {
    /// With every link followed, since apps say where a file really is. Throws where a location is no absolute path.
    init(_ locations: Locations) throws(WireError) {
        var apart: [AbsolutePath] = []
        for path in [locations.state, locations.configuration, locations.apps, locations.received, locations.runtime] {
            apart.append(try AbsolutePath(path).followingLinks)
        }
        self.init(containers: try AbsolutePath(locations.containers).followingLinks, apart: apart)
    }
}
