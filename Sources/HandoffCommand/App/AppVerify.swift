// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser
internal import HandoffHost
internal import HandoffTrust
internal import HandoffWire

struct AppVerify: Verb {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check that an app bundle is exactly what its team signed.",
        discussion: """
            Names every file that was changed, added or removed and every wrong mode, and exits with \
            \(ExitStatus.notVerified.rawValue) if there are any. It does not check whether the team is trusted.
            """)

    @Argument(help: ArgumentHelp("The bundle: Name.app.", valueName: "bundle"), completion: .directory)
    var bundle: String

    @OptionGroup var common: CommonOptions

    func perform(_ output: Output) throws {
        var progress = ProgressLine("checking", output)
        defer { progress.clear() }
        let verification = try BundleVerification.of(bundle, at: .now) { progress.reached($0, of: $1) }
        progress.clear()
        if let signature = verification.verified {
            output.show(ShownVerification(signature: ShownSignature(signature)))
            return output.remark(rejectedIn: signature.manifest.entitlements)
        }
        output.show(ShownVerification(problems: verification.findings))
        guard !verification.isUnsigned else {
            throw CommandFailure(
                .notVerified, code: "unsigned", "\(bundle) is not signed",
                advice: "run: handoff app sign \(bundle) --team TEAMID")
        }
        throw CommandFailure(.notVerified, code: "notVerified", "\(bundle) is not what was signed")
    }
}

struct ShownVerification: Renderable {
    struct Problem: Encodable {
        let kind: String
        let path: String?
        let text: String
    }

    let verified: Bool
    var signature: ShownSignature?
    var problems: [Problem] = []

    init(signature: ShownSignature) {
        verified = true
        self.signature = signature
    }

    init(problems findings: [BundleFinding]) {
        verified = false
        problems = findings.map { finding in
            let text = DisplayText(cleaning: finding.description, limit: Limits.reasonCharacters).text
            return Problem(kind: finding.kind, path: finding.difference?.path.text, text: text)
        }
    }

    func text(_ terminal: Terminal) -> String {
        signature.map { "verified\n" + $0.text(terminal) } ?? problems.map(\.text).joined(separator: "\n")
    }
}

extension BundleFinding {
    fileprivate var difference: BundleDifference? {
        if case .difference(let difference) = self { difference } else { nil }
    }

    fileprivate var kind: String {
        switch self {
        case .unsigned: "unsigned"
        case .signature: "signature"
        case .difference(.missing): "missing"
        case .difference(.added): "added"
        case .difference(.changed): "changed"
        case .difference(.mode): "mode"
        case .difference(.otherKind): "kind"
        case .unfit, .changedWhileRead, .unreadable, .contradiction: "other"
        }
    }
}
