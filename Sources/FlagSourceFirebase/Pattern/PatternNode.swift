/// A part of a regular expression in the dialect of Python's module `re`.
indirect enum PatternNode {
    /// One scalar, by its number: an escape can name one that no text holds.
    case scalar(UInt32)
    /// `.`
    case any
    /// One scalar of a set.
    case set(PatternSet)
    /// A place between two scalars.
    case anchor(PatternAnchor)
    /// One part after the other.
    case sequence([PatternNode])
    /// The first of some alternatives that leads on.
    case choice([PatternNode])
    /// `(…)`, `(?:…)` and `(?flags:…)`.
    case group(Int?, PatternFlagChange, PatternNode)
    /// A part several times; `most` is `nil` for any number.
    case repetition(PatternNode, least: Int, most: Int?, PatternAppetite)
    /// `\1` and `(?P=name)`
    case reference(Int)
    /// `(?=…)`, `(?!…)`, and with the width of what is looked at before the place `(?<=…)` and `(?<!…)`.
    case look(behind: Int?, isNegative: Bool, PatternNode)
    /// `(?>…)`
    case atomic(PatternNode)
    /// `(?(1)…|…)`
    case conditional(Int, PatternNode, PatternNode?)
}

/// How much a repetition takes before what follows it is tried.
enum PatternAppetite {
    case greedy
    case lazy
    /// As much as there is, and nothing is given back.
    case possessive
}

/// A place between two scalars.
enum PatternAnchor {
    /// `^`
    case lineStart
    /// `$`
    case lineEnd
    /// `\A`
    case textStart
    /// `\Z`
    case textEnd
    /// `\b`
    case boundary
    /// `\B`
    case inside
}

/// The scalars of `[…]`, `\d` and the like.
struct PatternSet {
    /// A part of a set.
    enum Part {
        case range(UInt32, UInt32)
        case kind(ScalarKind, isNegated: Bool)
    }

    var isNegated = false
    var parts: [Part] = []
}

/// The switches of an expression, `(?i)` and so on.
struct PatternFlags: OptionSet {
    let rawValue: Int

    static let ignoreCase = PatternFlags(rawValue: 1)
    static let multiline = PatternFlags(rawValue: 2)
    static let dotAll = PatternFlags(rawValue: 4)
    static let verbose = PatternFlags(rawValue: 8)
    static let ascii = PatternFlags(rawValue: 16)
    static let unicode = PatternFlags(rawValue: 32)

    /// Only one of these can be on.
    static let types: PatternFlags = [.ascii, .unicode]

    /// The flag of a letter; `nil` where it is none. `L` is for bytes and `t` does nothing that is documented.
    init?(_ letter: Unicode.Scalar?) {
        switch letter {
        case "i": self = .ignoreCase
        case "m": self = .multiline
        case "s": self = .dotAll
        case "x": self = .verbose
        case "a": self = .ascii
        case "u": self = .unicode
        default: return nil
        }
    }

    init(rawValue: Int) { self.rawValue = rawValue }

    /// The flags inside a group that changes some (`_combine_flags` of CPython).
    func changed(by change: PatternFlagChange) -> PatternFlags {
        let base = change.added.isDisjoint(with: .types) ? self : subtracting(.types)
        return base.union(change.added).subtracting(change.removed)
    }
}

/// What a group switches on and off.
struct PatternFlagChange {
    var added: PatternFlags = []
    var removed: PatternFlags = []

    var isEmpty: Bool { added.isEmpty && removed.isEmpty }
}

/// Why a text is no regular expression, or why looking for one was given up.
struct PatternError: Error, Hashable {
    /// As a part of a sentence, such as `nothing to repeat`.
    let problem: String
}
