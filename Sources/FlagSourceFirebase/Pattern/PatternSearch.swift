/// Looks for a regular expression in a text, as Python's `re.search` does: by trying, and going back.
struct PatternSearch {
    /// Some expressions take longer than anybody waits, such as `(a+)+b` on many letters a. Python would go on.
    static let stepLimit = 2_000_000

    /// Where to go on if the way taken leads nowhere.
    private struct Fork {
        let step: Int
        let place: Int
        let registers: [Int]
    }

    private let steps: [PatternProgram.Step]
    private let text: [UInt32]
    private let count: Int
    private var registers: [Int] = []
    private var taken = 0

    private init(_ program: PatternProgram, _ text: String) {
        steps = program.steps
        self.text = text.unicodeScalars.map(\.value)
        count = program.registerCount
    }

    /// Whether the text has a part that the expression describes.
    static func finds(_ program: PatternProgram, in text: String) throws(PatternError) -> Bool {
        var search = PatternSearch(program, text)
        for place in 0...search.text.count {
            // Nothing is kept in a register yet.
            search.registers = Array(repeating: -1, count: search.count)
            if try search.run(from: 0, at: place) != nil { return true }
        }
        return false
    }

    /// Goes from a step to the next ``PatternProgram/Step/found``; answers where the text is then.
    private mutating func run(from start: Int, at beginning: Int) throws(PatternError) -> Int? {
        var forks: [Fork] = []
        var (step, place) = (start, beginning)
        while true {
            taken += 1
            if taken > Self.stepLimit {
                throw PatternError(problem: "looking for it was given up after \(Self.stepLimit) steps")
            }
            if case .found = steps[step] { return place }
            if case .split(let first, let second) = steps[step] {
                forks.append(Fork(step: second, place: place, registers: registers))
                step = first
                continue
            }
            if let next = try move(&step, place) {
                place = next
                continue
            }
            guard let fork = forks.popLast() else { return nil }
            (step, place, registers) = (fork.step, fork.place, fork.registers)
        }
    }

    /// Takes one step; answers where the text is then, or `nil` if this is no way.
    private mutating func move(_ step: inout Int, _ place: Int) throws(PatternError) -> Int? {
        let present = steps[step]
        step += 1
        switch present {
        case .scalar, .notNewline, .anyScalar, .set:
            return place < text.count && Self.holds(present, text[place]) ? place + 1 : nil
        case .anchor(let anchor, let flags): return isAnchor(anchor, flags, place) ? place : nil
        case .jump(let target): step = target
        case .keep(let register): registers[register] = place
        case .jumpIfMoved(let register, let target): if registers[register] != place { step = target }
        case .jumpUnlessSet(let group, let target): if part(group) == nil { step = target }
        case .reference(let group, let flags): return placeBehind(group, flags, place)
        case .look(let end, let behind, let isNegative):
            guard try looks(step, behind, isNegative, place) else { return nil }
            step = end
        case .atomic(let end):
            guard let next = try run(from: step, at: place) else { return nil }
            step = end
            return next
        case .split, .found: break
        }
        return place
    }

    private static func holds(_ step: PatternProgram.Step, _ value: UInt32) -> Bool {
        switch step {
        case .scalar(let wanted): value == wanted
        case .notNewline: value != 0x0A
        case .set(let set): set.contains(value)
        default: true
        }
    }

    private mutating func looks(
        _ step: Int, _ behind: Int?, _ isNegative: Bool, _ place: Int
    ) throws(PatternError) -> Bool {
        guard place >= behind ?? 0 else { return isNegative }
        let before = registers
        let isThere = try run(from: step, at: place - (behind ?? 0)) != nil
        if !isThere || isNegative { registers = before }
        return isThere != isNegative
    }

    /// What a group has found.
    private func part(_ group: Int) -> Range<Int>? {
        let (start, end) = (registers[2 * group - 2], registers[2 * group - 1])
        return start >= 0 && end >= start ? start..<end : nil
    }

    private func placeBehind(_ group: Int, _ flags: PatternFlags, _ place: Int) -> Int? {
        guard let part = part(group), place + part.count <= text.count else { return nil }
        let isASCII = flags.contains(.ascii)
        let isSame = zip(text[part], text[place..<place + part.count]).allSatisfy { first, second in
            guard flags.contains(.ignoreCase) else { return first == second }
            return CaseFolding.lower(first, isASCII: isASCII) == CaseFolding.lower(second, isASCII: isASCII)
        }
        return isSame ? place + part.count : nil
    }

    private func isAnchor(_ anchor: PatternAnchor, _ flags: PatternFlags, _ place: Int) -> Bool {
        let isMultiline = flags.contains(.multiline)
        switch anchor {
        case .textStart: return place == 0
        case .textEnd: return place == text.count
        case .lineStart: return place == 0 || (isMultiline && text[place - 1] == 0x0A)
        case .lineEnd:
            // A line feed at the very end does not count, unless every line has an end.
            return place == text.count || (text[place] == 0x0A && (isMultiline || place == text.count - 1))
        case .boundary: return !text.isEmpty && isWord(place - 1, flags) != isWord(place, flags)
        case .inside: return !text.isEmpty && isWord(place - 1, flags) == isWord(place, flags)
        }
    }

    private func isWord(_ place: Int, _ flags: PatternFlags) -> Bool {
        text.indices.contains(place) && ScalarKind.word.contains(text[place], isASCII: flags.contains(.ascii))
    }
}
