// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// SplitMix64.
struct Random {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
    mutating func unit() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }
    mutating func chance(_ p: Double) -> Bool { unit() < p }
    mutating func real(_ low: Double, _ high: Double) -> Double { low + (high - low) * unit() }
    mutating func whole(_ range: ClosedRange<Int>) -> Int { range.lowerBound + Int(next() % UInt64(range.count)) }
    mutating func wait(_ mean: Double) -> Double { -mean * log(1 - unit()) }
    mutating func normal() -> Double { sqrt(-2 * log(1 - unit())) * cos(2 * .pi * unit()) }
    /// An index; that of rank k is about 1 / k as frequent.
    mutating func zipf(_ count: Int) -> Int { min(count, Int(exp(unit() * log(Double(count) + 1)))) - 1 }
}

// Assumptions for all persons: day 0 is a Monday. A day is made of habits (one use near an hour, if it happens at all) and of
// sessions. In a session the next use is, at 40 %, a return to one of the last four entries of that session (a burst),
// otherwise drawn: a document of a project, an entry of a long-lived pool (Zipf), or something new that is used only then.
// At 30 % a session begins where another ended of late. Pools drift: now and then an entry is replaced for good.
// Documents are added to projects all the time, half of them in front. 8 to 60 uses a day.

struct Use {
    let time, local, entry: Int
    var day: Int { local / 86400 }
    /// The day, but it begins at 4 o'clock.
    var morning: Int { (local - 14400) / 86400 }
    var slot: Int { local / 3600 % 24 + (day % 7 < 5 ? 0 : 24) }
}

struct Diary {
    var random: Random
    let blur, pace, mixed: Double
    var uses: [Use] = []
    var entries = 0, offset = 0, today = 0
    var resumed: Int?
    var projects = [(end: Int, documents: [Int])](repeating: (-1, []), count: 2)
    mutating func new() -> Int { (entries += 1, entries - 1).1 }
    mutating func new(_ count: Int) -> [Int] { (0..<count).map { _ in new() } }
    mutating func use(_ entry: Int, _ day: Int, _ hour: Double) {
        let local = day * 86400 + Int(hour * 3600)
        if today < 60 { uses.append(Use(time: local - offset, local: local, entry: entry)) }
        today += 1
    }
    /// One use near an hour, and at 30 % a second look within the hour.
    mutating func habit(_ entry: Int, _ day: Int, _ hour: Double, minutes: Double, _ chance: Double) {
        guard random.chance(chance) else { return }
        let hour = max(0, hour + random.normal() * minutes * blur / 60)
        use(entry, day, hour)
        if random.chance(0.3) { use(entry, day, hour + random.real(0.15, 0.9)) }
    }
    mutating func session(_ day: Int, _ hour: Double, hours: Double, pace: Double, draw: (inout Diary) -> Int) {
        var recent: [Int] = [], now = hour + random.normal() * 0.25
        let end = now + hours
        while now < end {
            let isReturn = random.chance(recent.isEmpty ? 0.3 : 0.4)
            let known =
                recent.isEmpty ? resumed : recent.count > 1 ? recent[1 + random.zipf(min(4, recent.count - 1))] : nil
            let entry = (isReturn ? known : nil) ?? draw(&self)
            recent.removeAll { $0 == entry }
            recent.insert(entry, at: 0)
            use(entry, day, max(0, now))
            now += random.wait(pace * self.pace) / 60
        }
        resumed = recent.first ?? resumed
    }
    /// A document of one of two projects, at `share` a new one.
    mutating func document(_ day: Int, new share: Double, days: ClosedRange<Int>) -> Int {
        let index = random.zipf(2)
        if projects[index].end < day { projects[index] = (day + random.whole(days), new(2)) }
        let count = projects[index].documents.count
        guard random.chance(share) else { return projects[index].documents[random.zipf(count)] }
        projects[index].documents.insert(new(), at: random.chance(0.5) ? 0 : count)
        return entries - 1
    }
    mutating func from(_ pool: [Int], once: Double) -> Int {
        random.chance(once) ? new() : pool[random.zipf(pool.count)]
    }
    mutating func hours(_ count: Int, _ low: Double, _ high: Double) -> [Double] {
        (0..<count).map { _ in random.real(low, high) }.sorted()
    }
    mutating func drift(_ pool: inout [Int], keep: Int, _ chance: Double) {
        if random.chance(chance) { pool[random.whole(keep...pool.count - 1)] = new() }
    }
    /// There are at least 8 uses.
    mutating func endDay(_ day: Int, _ pool: [Int]) {
        while today < 8 { session(day, random.real(10, 22), hours: 0.7, pace: 8) { $0.from(pool, once: 0.4) } }
        today = 0
    }
}

/// Regular working days, with a week and four days off. Mail and calendar about 9, and at any time. Stand-up at 10, moved on
/// 15 %. Three weekly meetings with lasting notes, moved on 20 %. Timesheet on Friday afternoon. News at lunch. Projects of 1
/// to 3 weeks. Private evenings.
func office(_ diary: inout Diary) {
    let mail = diary.new(), calendar = diary.new(), standUp = diary.new(), timesheet = diary.new(), news = diary.new()
    var pool = [mail, diary.new(), calendar] + diary.new(25)
    var home = [diary.new(), news] + diary.new(25)
    let meetings = (0..<3).map { _ in (diary.random.whole(0...4), Double(diary.random.whole(9...16)), diary.new()) }
    let week = diary.random.whole(3...11), off = (0..<4).map { _ in diary.random.whole(0...89) }
    for day in 0..<90 {
        diary.drift(&pool, keep: 3, 0.2)
        diary.drift(&home, keep: 2, 0.3)
        if day % 7 < 5, day / 7 != week, !off.contains(day) {
            diary.habit(mail, day, 8.9, minutes: 20, 0.9)
            diary.habit(calendar, day, 9.1, minutes: 25, 0.75)
            diary.habit(standUp, day, 10 + (diary.random.chance(0.15) ? diary.random.real(-1, 5) : 0), minutes: 8, 0.9)
            for (weekday, hour, notes) in meetings where weekday == day % 7 {
                diary.habit(
                    notes, day, hour + (diary.random.chance(0.2) ? diary.random.real(-3, 3) : 0), minutes: 8, 0.9)
            }
            if day % 7 == 4 { diary.habit(timesheet, day, 15.5, minutes: 50, 0.85) }
            diary.habit(news, day, 12.5, minutes: 25, 0.6)
            if diary.random.chance(0.6) { diary.session(day, 12.6, hours: 0.4, pace: 8) { $0.from(home, once: 0.8) } }
            for (hour, hours) in [(9.2, 2.9), (13.1, 4.3)] {
                diary.session(day, hour, hours: hours, pace: 13) {
                    $0.random.chance(0.45) ? $0.from(pool, once: 0.3) : $0.document(day, new: 0.15, days: 5...20)
                }
            }
        }
        let evening = diary.random.real(18, 21.5), hours = diary.random.chance(0.7) ? 1.0 : 0
        diary.session(day, evening, hours: hours, pace: 8) {
            $0.from($0.random.chance($0.mixed) ? pool : home, once: 0.45)
        }
        diary.endDay(day, home)
    }
}

/// Gets up from 8 to 13, weekends too. Five weekly courses, attended at 75 %: the folder stays; note and slides are new each
/// week, and looked at again for about a week. A deadline in each course every 12 to 18 days: three days of work, until late
/// at night. Chats and pages at any hour.
func student(_ diary: inout Diary) {
    let folders = diary.new(5), times = (0..<5).map { ($0, Double(diary.random.whole(8...16))) }
    var pool = diary.new(30), notes = diary.new(2)
    var deadlines = (0..<5).map { _ in (diary.random.whole(5...18), diary.new()) }
    for day in 0..<90 {
        diary.drift(&pool, keep: 2, 0.35)
        let rise = diary.random.real(8, 13)
        for (course, (weekday, hour)) in times.enumerated() where weekday == day % 7 && diary.random.chance(0.75) {
            diary.habit(folders[course], day, hour, minutes: 8, 0.8)
            let lecture = diary.new(2)
            notes.insert(contentsOf: lecture, at: 0)
            diary.session(day, hour + 0.1, hours: 1.4, pace: 12) {
                $0.random.chance(0.6) ? lecture[$0.random.zipf(2)] : $0.from(pool, once: 0.3)
            }
        }
        for i in 0..<5 where deadlines[i].0 < day { deadlines[i] = (day + diary.random.whole(11...17), diary.new()) }
        let urgent = deadlines.indices.filter { deadlines[$0].0 - day < 3 }
        let (early, late) = urgent.isEmpty ? (rise, 23.0) : (15, 24)
        for hour in diary.hours(diary.random.whole(1...2) + urgent.count, early, late) {
            diary.session(day, hour, hours: diary.random.real(0.7, 2.2), pace: 10) { diary in
                guard diary.random.chance(0.6) else { return diary.from(pool, once: 0.4) }
                let part = diary.random.unit()
                guard let course = urgent.first, part < 0.8 else {
                    return notes[diary.random.zipf(min(12, notes.count))]
                }
                return part < 0.4 ? deadlines[course].1 : part < 0.52 ? folders[course] : diary.new()
            }
        }
        for hour in diary.hours(diary.random.whole(1...3), rise, 25) {
            diary.session(day, hour, hours: 0.5, pace: 7) { $0.from(pool, once: 0.4) }
        }
        diary.endDay(day, pool)
    }
}

/// One to four sessions at any hour from 9 to 22, at weekends at half. Projects of 3 to 12 days with many new items. Two
/// journeys of 1 to 2 weeks, up to nine hours away; the clock follows. Habits: news in the morning (75 %, give or take an
/// hour), accounting every month.
func freelancer(_ diary: inout Diary) {
    let news = diary.new(), accounts = diary.new(2)
    var pool = diary.new(25)
    let trips = [diary.random.whole(25...40), diary.random.whole(60...72)].map { begin in
        (begin...begin + diary.random.whole(7...14), diary.random.whole(3...9) * (diary.random.chance(0.5) ? 1 : -1))
    }
    let books = [29, 59, 87].map { $0 + diary.random.whole(-2...2) }
    for day in 0..<90 {
        diary.offset = 3600 * (trips.first { $0.0.contains(day) }?.1 ?? 0)
        diary.drift(&pool, keep: 2, 0.35)
        diary.habit(news, day, 8.5, minutes: 60, 0.75)
        diary.session(day, diary.random.real(10, 18), hours: books.contains(day) ? 2 : 0, pace: 12) {
            $0.from(accounts, once: 0.4)
        }
        let sessions = day % 7 > 4 && diary.random.chance(0.5) ? 0 : diary.random.whole(1...4)
        for hour in diary.hours(sessions, 9, 22) {
            diary.session(day, hour, hours: diary.random.real(0.5, 3), pace: 9) {
                $0.random.chance(0.4) ? $0.from(pool, once: 0.5) : $0.document(day, new: 0.25, days: 3...12)
            }
        }
        diary.endDay(day, pool)
    }
}
