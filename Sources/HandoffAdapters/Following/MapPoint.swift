// SPDX-License-Identifier: Apache-2.0

package struct MapPoint: Hashable, Sendable {
    /// Units of a degree: one is 11 cm at most.
    private static let units = 1e6
    /// Units: a map that shows a point may report another within this.
    private static let tolerance = 500

    private let latitudeUnits: Int
    private let longitudeUnits: Int

    /// Degrees. Nil beyond 90 and 180, and for NaN.
    package init?(latitude: Double, longitude: Double) {
        guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
        latitudeUnits = Int((latitude * Self.units).rounded())
        longitudeUnits = Int((longitude * Self.units).rounded())
    }

    var latitude: Double { Double(latitudeUnits) / Self.units }
    var longitude: Double { Double(longitudeUnits) / Self.units }

    /// "52.520008, 13.404954"
    var title: String { "\(Self.text(latitudeUnits)), \(Self.text(longitudeUnits))" }

    /// RFC 5870.
    var url: String { "geo:\(Self.text(latitudeUnits)),\(Self.text(longitudeUnits))" }

    func isNear(_ other: MapPoint) -> Bool {
        abs(latitudeUnits - other.latitudeUnits) <= Self.tolerance
            && abs(longitudeUnits - other.longitudeUnits) <= Self.tolerance
    }

    private static func text(_ number: Int) -> String {
        let (degrees, rest) = abs(number).quotientAndRemainder(dividingBy: Int(units))
        return "\(number < 0 ? "-" : "")\(degrees).\(String(rest + Int(units)).dropFirst())"
    }
}
