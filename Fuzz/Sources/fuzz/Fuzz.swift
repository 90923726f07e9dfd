// SPDX-License-Identifier: Apache-2.0

import HandoffFuzzing

/// `HANDOFF_FUZZ=PARSER fuzz [libFuzzer's options] [CORPUS]`. Without a parser it lists them. One program for all, as
/// linking takes longest.
@main struct Fuzz {
    /// Takes the place of libFuzzer's own.
    static func main() {
        guard parser != nil else { return print(FuzzedParser.names.joined(separator: "\n")) }
        var count = CommandLine.argc
        var arguments = CommandLine.unsafeArgv
        _ = runFuzzer(&count, &arguments, { runOne($0, $1) })
    }
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ one: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

private let parser = FuzzedParser.named(by: "HANDOFF_FUZZ")

@_cdecl("LLVMFuzzerTestOneInput")
public func runOne(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    parser?.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}
