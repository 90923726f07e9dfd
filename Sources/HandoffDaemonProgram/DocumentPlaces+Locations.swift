// SPDX-License-Identifier: Apache-2.0

internal import HandoffDaemon
internal import HandoffHost
internal import HandoffWire

extension DocumentPlaces {
    /// With all links resolved, because apps report real paths. Throws if a location is not an absolute path.
    init(_ locations: Locations) throws(WireError) {
        var apart: [AbsolutePath] = []
        for path in [locations.state, locations.configuration, locations.apps, locations.received, locations.runtime] {
            apart.append(try AbsolutePath(path).followingLinks)
        }
        self.init(containers: try AbsolutePath(locations.containers).followingLinks, apart: apart)
    }
}
