package import FlagModel

extension SharedState {
    /// The shared states in any text, such as a bug report, a chat or a quoted mail: those that can be read, the newest
    /// last, and why others cannot be read.
    package static func found(in text: String) -> (states: [SharedState], errors: [InvalidText]) {
        let lines = JoinedLines(text)
        var (states, errors): ([SharedState], [InvalidText]) = ([], [])
        // A reply quotes the string, and a bug report may have it twice.
        var (seenStates, seenErrors): (Set<SharedState>, Set<InvalidText>) = ([], [])
        for form in [SharedForm.text, .code] {
            for (digits, _) in lines.candidates(of: form) {
                do throws(InvalidText) {
                    let state = try SharedState(reading: digits[...], as: form)
                    if seenStates.insert(state).inserted { states.append(state) }
                } catch {
                    if seenErrors.insert(error).inserted { errors.append(error) }
                }
            }
        }
        return (states.sorted { $0.madeAt < $1.madeAt }, errors)
    }

    /// Whether a text ends within a shared state, so that the next line may have more of it.
    package static func isCut(atEndOf text: String) -> Bool {
        let lines = JoinedLines(text)
        return [SharedForm.text, .code].contains { form in
            lines.candidates(of: form).last.map { lines.isEnd($0.end) && !form.isWhole($0.digits) } ?? false
        }
    }
}

/// A text without its line breaks and what mail and markup have around them, so that a string in it is in one piece
/// even if a program has broken it at any column.
private struct JoinedLines {
    private var bytes: [UInt8] = []
    /// The places at which lines begin.
    private var starts: [Int] = []

    init(_ text: String) {
        let visible = text.unicodeScalars.filter { !Self.invisible.contains($0) }
        for line in String(String.UnicodeScalarView(visible)).utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            var content = line.drop { Self.margins.contains($0) }
            while content.last == 0x20 || content.last == 0x09 { content.removeLast() }
            // The soft line break of mail in quoted-printable.
            if content.last == UInt8(ascii: "=") { content.removeLast() }
            guard !content.isEmpty else { continue }
            starts.append(bytes.count)
            bytes += content
        }
    }

    /// Soft hyphens and characters without a width, which programs insert where a word may be broken.
    private static let invisible: Set<Unicode.Scalar> = [
        "\u{AD}", "\u{200B}", "\u{200C}", "\u{200D}", "\u{2060}", "\u{FEFF}",
    ]
    /// What precedes a quoted, indented or boxed line.
    private static let margins = Set(" \t>|".utf8)

    /// A word with fewer characters after the prefix is not the start of a shared state.
    private static let minimumCount = 12

    /// Whether nothing follows a place.
    func isEnd(_ place: Int) -> Bool { place == bytes.count }

    /// The digits of each string after its prefix, also of those that are cut, and the place after them. Takes linear
    /// time, as no byte is part of two of them.
    func candidates(of form: SharedForm) -> [(digits: [UInt8], end: Int)] {
        var (found, place): ([(digits: [UInt8], end: Int)], Int) = ([], 0)
        while place < bytes.count {
            guard begins(form, at: place), place == 0 || !isWord(bytes[place - 1]) || isStart(place) else {
                place += 1
                continue
            }
            let (digits, end) = digits(of: form, from: place + form.prefix.count)
            let isState = digits.count >= Self.minimumCount
            if isState { found.append((padded(digits, as: form), end)) }
            place = isState ? end : place + form.prefix.count
        }
        return found
    }

    /// Whether there is a prefix at a place, with the digit of a version.
    private func begins(_ form: SharedForm, at place: Int) -> Bool {
        guard bytes[place] == form.prefix[0], bytes[place...].starts(with: form.prefix) else { return false }
        return 1...9 ~= bytes[place...].dropFirst(form.prefix.count).first.flatMap(form.digits.value(of:)) ?? 0
    }

    private func isStart(_ place: Int) -> Bool {
        let index = starts.partitioningIndex { $0 >= place }
        return index < starts.count && starts[index] == place
    }

    private func isWord(_ byte: UInt8) -> Bool { SharedForm.text.digits.contains(byte) }

    /// The digits from a place on, at most as many as the header says, and the place after them.
    private func digits(of form: SharedForm, from start: Int) -> ([UInt8], end: Int) {
        var (digits, place, count): ([UInt8], Int, Int) = ([], start, .max)
        repeat {
            let next = starts.partitioningIndex { $0 > place }
            let line = bytes[place..<(next < starts.count ? starts[next] : bytes.count)]
            let header = digits.prefix(SharedForm.headerCount) + line.prefix(SharedForm.headerCount)
            count = form.bodyCount(of: header[...]).map { SharedForm.headerCount + $0 } ?? .max
            let part = line.prefix(count - digits.count).prefix(while: form.digits.contains)
            let isWhole = part.count == line.count
            // A further line of the string has nothing else, unless it is the last one.
            guard place == start || isWhole || digits.count + part.count == count else { break }
            digits += part
            place += part.count
            guard isWhole else { break }
        } while digits.count < count && place < bytes.count && !begins(form, at: place)
        return (digits, place)
    }

    /// The digits with the spaces that programs drop at the end of a line.
    private func padded(_ digits: [UInt8], as form: SharedForm) -> [UInt8] {
        guard form.digits.contains(0x20), let count = form.bodyCount(of: digits[...]) else { return digits }
        let missing = SharedForm.headerCount + count - digits.count
        return 1...2 ~= missing ? digits + Array(repeating: 0x20, count: missing) : digits
    }
}
