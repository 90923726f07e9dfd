// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import HandoffSystem

/// For users. A device of the account has it until it is renamed.
package struct MachineName {
    /// Several machines share these names.
    private static let placeholders: Set<String> = [
        "", "localhost", "localhost-live", "(none)", "linux", "debian", "fedora",
    ]
    /// "To Be Filled By O.E.M."
    private static let placeholdersOfMakers = ["o.e.m", "system product name", "default string", "not applicable"]

    private let machineInfo: String
    private let firmware: String
    private let hostName: String

    package init(
        machineInfo: String = "/etc/machine-info", firmware: String = "/sys/class/dmi/id",
        hostName: String = MachineName.hostName
    ) {
        self.machineInfo = machineInfo
        self.firmware = firmware
        self.hostName = hostName
    }

    /// In order: the desktop's setting, the host name without its domain, the model, the host name.
    package var text: String {
        let short = hostName.split(separator: ".").first.map(String.init) ?? ""
        if let pretty { return pretty }
        if !Self.placeholders.contains(short.lowercased()) { return short }
        return model ?? (short.isEmpty ? "linux" : short)
    }

    /// `PRETTY_HOSTNAME` of machine-info(5).
    private var pretty: String? {
        let line = OpenFile.text(of: machineInfo)?.split(separator: "\n").last { $0.hasPrefix("PRETTY_HOSTNAME=") }
        guard var value = line?.dropFirst("PRETTY_HOSTNAME=".count) else { return nil }
        if let quote = value.first, "\"'".contains(quote), value.count > 1, value.last == quote {
            value = value.dropFirst().dropLast()
        }
        var name = ""
        var isEscaped = false
        for character in value {
            if character == "\\", !isEscaped {
                isEscaped = true
            } else {
                (name, isEscaped) = (name + [character], false)
            }
        }
        return name.isEmpty ? nil : name
    }

    /// Some makers split it: "ThinkPad X1 Carbon Gen 9" and "20XW004AGE".
    private var model: String? {
        for value in ["product_family", "product_name"] {
            guard let line = OpenFile.text(of: "\(firmware)/\(value)")?.split(separator: "\n").first else { continue }
            let name = line.lowercased()
            if name.contains(where: \.isLetter), !Self.placeholdersOfMakers.contains(where: { name.contains($0) }) {
                return String(line)
            }
        }
        return nil
    }

    static var hostName: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { name in
            guard gethostname(name.baseAddress!, name.count - 1) == 0 else { return "" }
            name[name.count - 1] = 0
            return String(cString: name.baseAddress!)
        }
    }
}
