// SPDX-License-Identifier: Apache-2.0

// The history with 100,000 entries, through the program handoff-history beside this one.
//   bench-history FOLDER [ENTRIES]
// FOLDER should be on the disk that is measured, and empty. Prints a line for each figure, times in milliseconds.

import BenchClock
import Foundation
import HandoffCore
import HandoffHost
import HandoffSystem
import HandoffWire

/// The same numbers in every run.
struct Numbers: RandomNumberGenerator {
    private var state: UInt64 = 42
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }
}

/// Words by Zipf's law, from few syllables, so that beginnings have many matches.
struct Text {
    private static let syllables = [
        "ka", "le", "mi", "no", "ru", "sa", "te", "vo", "ben", "dor", "fin", "gar", "hul", "jos",
    ]
    let words: [String]
    private let weights: [Double]

    init(_ numbers: inout Numbers) {
        words = (0..<20_000).map { _ in
            (0..<Int.random(in: 1...4, using: &numbers)).map { _ in Self.syllables.randomElement(using: &numbers)! }
                .joined()
        }
        var sum = 0.0
        weights = (1...words.count).map { rank in
            sum += 1 / Double(rank)
            return sum
        }
    }

    func word(_ numbers: inout Numbers) -> String {
        let wanted = Double.random(in: 0..<weights[weights.count - 1], using: &numbers)
        var (low, high) = (0, weights.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if weights[middle] < wanted { low = middle + 1 } else { high = middle }
        }
        return words[low]
    }

    func words(_ count: Int, _ numbers: inout Numbers) -> String {
        (0..<count).map { _ in word(&numbers) }.joined(separator: " ")
    }
}

func measured(_ body: () throws -> Void) rethrows -> Double {
    let start = monotonicNanoseconds()
    try body()
    return Double(monotonicNanoseconds() - start) / 1_000_000
}

func report(_ name: String, _ times: [Double]) {
    let sorted = times.sorted()
    func at(_ part: Double) -> String {
        String(format: "%.3f", sorted[min(Int(Double(sorted.count) * part), sorted.count - 1)])
    }
    say("\(name): n \(sorted.count), p50 \(at(0.5)), p99 \(at(0.99)), most \(at(1))")
}

let arguments = CommandLine.arguments
guard arguments.count > 1 else { fatalError("usage: bench-history FOLDER [ENTRIES]") }
let folder = arguments[1]
let count = arguments.count > 2 ? Int(arguments[2]) ?? 100_000 : 100_000
let file = folder + "/history.sqlite"
let index = IndexProgram(besides: URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path, file: file) {
    say("note: \($0)")
}
let start = WallTime(milliseconds: 1_800_000_000_000)
let golden = [
    "Die Straße nach Köln|strasse", "東京の喫茶店|喫茶", "我们的咖啡馆|咖啡", "서울의 커피숍|커피", "Ο δρόμος προς την Αθήνα|αθηνα",
    "שלום עולם|עול", "हिन्दी की किताब|किताब", "Łódź w maju|lodz", "Список покупок|покуп", "ร้านกาแฟในกรุงเทพ|กาแฟ",
].map { $0.split(separator: "|").map(String.init) }

/// Used on the main thread alone, like everything here.
nonisolated(unsafe) var numbers = Numbers()
let text = Text(&numbers)
let apps = try (0..<8).map { try BundleID("com.example.app\($0)") }

func item(_ number: Int, title: String) throws -> HistoryEntry {
    var attributes = ContentAttributes()
    attributes.entries["title"] = .string(title)
    attributes.entries["contentDescription"] = .string(text.words(25, &numbers))
    let item = IndexedItem(ExactText("note-\(number)"), domainIdentifier: "notes", attributes: attributes.encoded())
    guard let entry = try HistoryEntry(of: item, by: apps[number % apps.count]) else { fatalError("no words") }
    return entry
}

// MARK: Filling

var changes: [HistoryChange] = []
let filling = try measured {
    for number in 0..<count {
        let title = number % 1000 < golden.count ? golden[number % 1000][0] : text.words(4, &numbers)
        changes.append(.put(try item(number, title: title), isUpdate: false))
        if changes.count == 500 || number == count - 1 {
            try index.change(changes, by: apps[0], state: nil, at: start.advanced(by: .seconds(number)))
            changes = []
        }
    }
}
say("entries: \(count), filled in \(Int(filling)) ms by 500")
let now = start.advanced(by: .seconds(count + 3600))

// MARK: Keystrokes

var keystrokes: [Double] = []
for _ in 0..<500 {
    let query = text.words(2, &numbers)
    for end in query.indices.dropFirst() {
        let typed = String(query[..<end])
        keystrokes.append(try measured { _ = try index.found(by: HistoryQuery(typed), limit: 20, at: now) })
    }
}
report("keystroke", keystrokes)
var goldens: [Double] = []
for (example, query) in golden.map({ ($0[0], $0[1]) }) {
    for end in query.indices.dropFirst() + [query.endIndex] {
        let typed = String(query[..<end])
        var found: [HistoryMatch] = []
        goldens.append(try measured { found = try index.found(by: HistoryQuery(typed), limit: 20, at: now) })
        guard end < query.endIndex || found.first?.entry.title == example else { fatalError("\(query) is not found") }
    }
}
report("golden query in ten languages", goldens)

// MARK: Changes

report(
    "update of a known item",
    try (0..<500).map { _ in
        let number = Int.random(in: 0..<count, using: &numbers)
        let change = HistoryChange.put(try item(number, title: text.words(4, &numbers)), isUpdate: false)
        let app = apps[number % apps.count]
        return try measured { try index.change([change], by: app, state: nil, at: now) }
    })
func activity(_ number: Int) throws -> HistoryEntry {
    let state = ActivityState(
        type: try ActivityType("com.example.reading"), title: text.words(4, &numbers),
        persistentIdentifier: "a\(number)",
        isEligibleForSearch: true)
    guard let entry = try HistoryEntry(of: state, by: apps[0]) else { fatalError("no words") }
    return entry
}
let activities = try (0..<200).map(activity)
report("new activity", try activities.map { entry in try measured { try index.keep(entry, usedAt: now) } })
let later = now.advanced(by: .seconds(60))
report("use within five minutes", try activities.map { entry in try measured { try index.keep(entry, usedAt: later) } })
let muchLater = now.advanced(by: .seconds(3600))
report("use an hour later", try activities.map { entry in try measured { try index.keep(entry, usedAt: muchLater) } })

// MARK: Deletion, size and memory

func size() -> Int {
    ["", "-wal", "-shm"].reduce(0) { sum, suffix in
        let attributes = try? FileManager.default.attributesOfItem(atPath: file + suffix)
        return sum + ((attributes?[.size] as? Int) ?? 0)
    }
}
func memory() -> String {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap(Int32.init) ?? []
    for process in processes {
        let arguments = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
        guard arguments?.hasSuffix("\0\(file)\0") == true, arguments?.contains("handoff-history") == true else {
            continue
        }
        let rollup = (try? String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8)) ?? ""
        return rollup.split(separator: "\n").filter { $0.hasPrefix("Rss") || $0.hasPrefix("Private_Dirty") }
            .joined(separator: ", ").split(separator: " ").joined(separator: " ")
    }
    return "?"
}
say("size: \(size() / 1_000_000) MB, \(size() / max(count / 10_000, 1) / 1_000) KB for 10,000 entries")
say("handoff-history: \(memory())")
say(
    "removal of an app's \(count / apps.count) entries: \(Int(try measured { _ = try index.remove(.app(apps[1])) })) ms"
)
// The next request waits for the merge.
poll(nil, 0, 2500)
say("request during or after the merge: \(Int(try measured { _ = try index.entry(1) })) ms")
say("size: \(size() / 1_000_000) MB")
