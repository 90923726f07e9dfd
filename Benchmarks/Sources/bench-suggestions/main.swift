// SPDX-License-Identifier: Apache-2.0

// Do suggestions by the time of day beat frecency? Replays 90 days of three synthetic persons, and asks each ranker before
// each use for three entries. The first 30 days only teach.
//
//   bench-suggestions [FIRST-SEED [SEEDS [BLUR [PACE [MIXED]]]]]
//
// BLUR multiplies how far habits stray from their hour (1), PACE the time from a use to the next (1); MIXED is the share of
// work in the evenings of "office" (0).

internal import Glibc

struct Gate { var share = 0.3, days = 3 }
/// What was used; weights grow by 2^(time / half-life) instead of decaying.
struct History {
    struct Cell { var weight = 0.0, days: [Int] = [] }
    let halfLife: Double
    var weights: [Double]
    var last: [Int: Int] = [:], counted: [Int: Int] = [:]
    var recent: [Int] = []
    var slots = [[Int: Cell]](repeating: [:], count: 48)
    var totals = [Double](repeating: 0, count: 48)

    mutating func record(_ use: Use) {
        last[use.entry] = use.time
        recent.removeAll { $0 == use.entry }
        recent.insert(use.entry, at: 0)
        if let before = counted[use.entry], abs(use.time - before) < 300 { return }
        counted[use.entry] = use.time
        let weight = exp2(Double(use.time) / 86400 / halfLife)
        weights[use.entry] += weight
        totals[use.slot] += weight
        slots[use.slot][use.entry, default: Cell()].weight += weight
        if slots[use.slot][use.entry]?.days.last != use.day { slots[use.slot][use.entry]?.days.append(use.day) }
    }
    func window(_ slot: Int) -> [Int] { [23, 0, 1].map { slot / 24 * 24 + (slot % 24 + $0) % 24 } }
    func suggestions(_ gate: Gate, _ use: Use, without current: Int?) -> [Int] {
        let window = window(use.slot)
        let total = window.reduce(0) { $0 + totals[$1] }
        var found: [(entry: Int, weight: Double)] = []
        for entry in Set(window.flatMap { slots[$0].keys }) where entry != current {
            let cells = window.compactMap { slots[$0][entry] }, weight = cells.reduce(0) { $0 + $1.weight }
            let days = Set(cells.flatMap(\.days).filter { $0 > use.day - 30 })
            if weight >= gate.share * total, days.count >= gate.days { found.append((entry, weight)) }
        }
        return found.sorted { ($1.weight, $0.entry) < ($0.weight, $1.entry) }.prefix(3).map(\.entry)
    }
    /// The 6 best by weight, of which uses about this hour count `boost` times more.
    func best(boost: Double = 0, _ use: Use, without current: Int?) -> [Int] {
        var scores = weights
        for slot in window(use.slot) { for (entry, cell) in slots[slot] { scores[entry] += boost * cell.weight } }
        var found: [Int] = []
        for entry in scores.indices where scores[entry] > 0 && entry != current {
            let place = found.firstIndex { scores[$0] < scores[entry] } ?? found.count
            if place < 6 { found = Array((found[..<place] + [entry] + found[place...]).prefix(6)) }
        }
        return found
    }
}

func filled(_ first: [Int], _ rest: [Int]) -> [Int] { Array((first + rest.filter { !first.contains($0) }).prefix(3)) }

/// Half-life in days, and gate: shares of 20, 30 and 50 %, and of each 2, 3 and 5 days.
let sweep: [(life: Double, gate: Gate)] = (0..<18).map {
    ([7, 30][$0 / 9], Gate(share: [0.2, 0.3, 0.5][$0 / 3 % 3], days: [2, 3, 5][$0 % 3]))
}
let names = [
    "a  frecency", "b  recency", "c  suggestions alone", "d  suggestions, frecency", "d0 without share, frecency",
    "i  frecency, hour x10", "r  last one, frecency", "o  seen before",
]

func lists(_ month: History, _ week: History, _ use: Use, _ current: Int?) -> [[Int]] {
    let frecency = month.best(use, without: current), hourly = month.best(boost: 9, use, without: current)
    let recency = Array(month.recent.prefix(7).filter { $0 != current })
    let suggested = month.suggestions(Gate(), use, without: current)
    let often = month.suggestions(Gate(share: 0), use, without: current)
    return [
        filled([], frecency), filled([], recency), suggested, filled(suggested, frecency), filled(often, frecency),
        filled([], hourly), filled(Array(recency.prefix(1)), frecency),
        month.last[use.entry] == nil ? [] : [use.entry],
    ] + sweep.map { filled(($0.life == 7 ? week : month).suggestions($0.gate, use, without: current), frecency) }
}

/// Moments, and for each ranker its hits and the moments at which it showed anything.
struct Tally {
    var moments = 0
    var hits = [Int](repeating: 0, count: names.count + sweep.count), shown = [Int](repeating: 0, count: names.count)

    mutating func count(_ lists: [[Int]], _ entry: Int) {
        moments += 1
        for index in hits.indices where lists[index].contains(entry) { hits[index] += 1 }
        for index in shown.indices where !lists[index].isEmpty { shown[index] += 1 }
    }
    func gain(_ index: Int) -> Double { 100 * Double(hits[index] - hits[0]) / Double(moments) }
}

/// Every stay that begins, and only those after a pause of an hour or as the first of a day. After such a pause
/// nothing is in use: to go on with the last entry is a stay too.
func replay(_ diary: Diary) -> [Tally] {
    var tallies = [Tally(), Tally()]
    var histories = [30.0, 7].map { History(halfLife: $0, weights: Array(repeating: 0, count: diary.entries)) }
    var before: Use?
    for use in diary.uses.sorted(by: { ($0.time, $0.entry) < ($1.time, $1.entry) }) {
        let pause = before.map { use.time - $0.time > 3600 || use.morning > $0.morning } ?? true
        let away = histories[0].last[use.entry].map { use.time - $0 > 300 } ?? true
        if use.day >= 30, away, pause || before?.entry != use.entry {
            let lists = lists(histories[0], histories[1], use, pause ? nil : before?.entry)
            tallies[0].count(lists, use.entry)
            if pause { tallies[1].count(lists, use.entry) }
        }
        for index in histories.indices { histories[index].record(use) }
        before = use
    }
    return tallies
}

func fixed(_ value: Double) -> String {
    let tenths = Int((abs(value) * 10).rounded())
    return (value < 0 && tenths > 0 ? "-" : "") + "\(tenths / 10).\(tenths % 10)"
}
func padded(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(1, width - text.count)) }
func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
func span(_ values: [Double]) -> String { "(\(fixed(values.min()!))..\(fixed(values.max()!)))" }
func spread(_ values: [Double]) -> String { padded("\(fixed(mean(values))) \(span(values))", 20) }
/// Two standard errors of the mean.
func doubt(_ values: [Double]) -> Double {
    let mean = mean(values), squares = values.map { ($0 - mean) * ($0 - mean) }.reduce(0, +)
    return 2 * sqrt(squares / Double(max(values.count - 1, 1) * values.count))
}

func table(_ title: String, _ tallies: [Tally]) {
    print(
        " \(title): \(tallies.map(\.moments).reduce(0, +) / tallies.count) moments\n" + padded("", 30)
            + "hits at 3, %        minus a     (min..max)      better  shown, %            right of these, %")
    for (index, name) in names.enumerated() {
        let gains = tallies.map { $0.gain(index) }
        let alone =
            !name.hasSuffix("alone")
            ? ""
            : spread(tallies.map { 100 * Double($0.shown[index]) / Double($0.moments) })
                + spread(tallies.map { 100 * Double($0.hits[index]) / Double(max($0.shown[index], 1)) })
        print(
            padded("  \(name)", 30) + spread(tallies.map { 100 * Double($0.hits[index]) / Double($0.moments) })
                + padded("\(fixed(mean(gains))) ± \(fixed(doubt(gains)))", 12) + padded(span(gains), 16)
                + padded("\(gains.filter { $0 > 0 }.count)/\(gains.count)", 8) + alone)
    }
    let gains = sweep.indices.map { index in " " + fixed(mean(tallies.map { $0.gain(names.count + index) })) }
    print("  d - a with a half-life of 7 days:\(gains[..<9].joined()); of 30:\(gains[9...].joined())")
}

let given = CommandLine.arguments.dropFirst().compactMap { Double($0) }
let settings = given + [1, 5, 1, 1, 0].dropFirst(given.count)
for (name, person) in [("office", office), ("student", student), ("freelancer", freelancer)] {
    let diaries = (0..<Int(settings[1])).map { index in
        let random = Random(state: UInt64(settings[0]) + UInt64(index))
        var diary = Diary(random: random, blur: settings[2], pace: settings[3], mixed: settings[4])
        person(&diary)
        return diary
    }
    let counts = diaries.map { diary in diary.uses.reduce(into: [Int: Int]()) { $0[$1.entry, default: 0] += 1 } }
    let once = counts.map { counts in 100 * Double(counts.values.filter { $0 == 1 }.count) / Double(counts.count) }
    print(
        "\n\(name): \(diaries.map(\.uses.count).reduce(0, +) / diaries.count / 90) uses a day, "
            + "\(counts.map(\.count).reduce(0, +) / counts.count) entries, used once, %: \(spread(once))")
    let tallies = diaries.map(replay)
    table("every stay", tallies.map { $0[0] })
    table("after a pause of an hour, or first of the day", tallies.map { $0[1] })
}
