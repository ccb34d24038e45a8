import FlagModel

/// A word to look for by its letters in order, gaps allowed, as fzf does.
///
/// Case counts only where the word has a capital letter ("smart case"). Bytes are compared, so letters outside ASCII
/// match as they are written.
public struct FuzzyPattern: Sendable, Equatable {
    private let bytes: [UInt8]
    private let isCaseSensitive: Bool

    /// A pattern from one typed word.
    public init(_ word: String) {
        isCaseSensitive = word.contains(where: \.isUppercase)
        bytes = isCaseSensitive ? Array(word.utf8) : word.utf8.map(Self.lowercased)
    }

    /// How well the text matches, larger is better; `nil` when it does not.
    func score(in text: FlagText) -> Int? {
        text.withUTF8 { match(in: $0)?.score }
    }

    /// The byte offsets of the matched letters; `nil` when the text does not match.
    public func positions(in text: String) -> [Int]? {
        var text = text
        return text.withUTF8 { match(in: $0)?.positions($0, self) }
    }

    /// `true` when the word stands in the text as typed.
    func isContained(in text: FlagText) -> Bool {
        guard let first = bytes.first else { return true }
        return text.withUTF8 { haystack in
            guard haystack.count >= bytes.count else { return false }
            return (0...(haystack.count - bytes.count)).contains { start in
                fold(haystack[start]) == first
                    && bytes.indices.allSatisfy { fold(haystack[start + $0]) == bytes[$0] }
            }
        }
    }

    private struct Match {
        let score: Int
        let range: Range<Int>

        /// The letters again, now from the end backward, which is where the tightest match lies.
        func positions(_ text: UnsafeBufferPointer<UInt8>, _ pattern: FuzzyPattern) -> [Int] {
            var found: [Int] = []
            var index = range.upperBound - 1
            for byte in pattern.bytes.reversed() {
                while pattern.fold(text[index]) != byte { index -= 1 }
                found.append(index)
                index -= 1
            }
            return found.reversed()
        }
    }

    /// First the earliest end by a forward scan, then the latest start by a backward one, then the score of that range.
    private func match(in text: UnsafeBufferPointer<UInt8>) -> Match? {
        guard !bytes.isEmpty else { return Match(score: 0, range: 0..<0) }
        guard let end = earliestEnd(in: text) else { return nil }
        var start = end
        for byte in bytes.reversed() {
            start -= 1
            while fold(text[start]) != byte { start -= 1 }
        }
        return Match(score: score(of: start..<end, in: text), range: start..<end)
    }

    private func earliestEnd(in text: UnsafeBufferPointer<UInt8>) -> Int? {
        var matched = 0
        for index in 0..<text.count where fold(text[index]) == bytes[matched] {
            matched += 1
            if matched == bytes.count { return index + 1 }
        }
        return nil
    }

    /// Rewards letters that begin words or follow each other, and the start of the text; short texts break ties.
    private func score(of range: Range<Int>, in text: UnsafeBufferPointer<UInt8>) -> Int {
        var score = range.lowerBound == 0 ? 24 : 0
        var matched = 0
        var isRun = false
        for index in range {
            if matched < bytes.count, fold(text[index]) == bytes[matched] {
                score += 16 + (startsWord(at: index, in: text) ? 24 : 0) + (isRun ? 20 : 0)
                matched += 1
                isRun = true
            } else {
                score -= 2
                isRun = false
            }
        }
        return score - text.count / 8
    }

    private func startsWord(at index: Int, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard index > 0 else { return true }
        let (before, here) = (text[index - 1], text[index])
        let isBreak = !Self.isLetterOrDigit(before)
        return isBreak || (Self.isLowercase(before) && Self.isUppercase(here))
    }

    private func fold(_ byte: UInt8) -> UInt8 {
        isCaseSensitive ? byte : Self.lowercased(byte)
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { isUppercase(byte) ? byte | 0x20 : byte }
    private static func isUppercase(_ byte: UInt8) -> Bool { byte >= 0x41 && byte <= 0x5A }
    private static func isLowercase(_ byte: UInt8) -> Bool { byte >= 0x61 && byte <= 0x7A }
    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        isUppercase(byte) || isLowercase(byte) || (byte >= 0x30 && byte <= 0x39) || byte >= 0x80
    }
}
