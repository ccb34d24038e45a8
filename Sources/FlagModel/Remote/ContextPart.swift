/// A part of the evaluation of a source that a tester can change. Names are compared byte by byte.
public struct ContextPart: Sendable, Hashable, Comparable {
    /// What the part is.
    public enum Kind: String, Sendable, CaseIterable {
        case attribute, condition
    }

    /// The source as written in the settings, without secrets.
    public let source: FlagText
    /// What the part is.
    public let kind: Kind
    /// The name of the attribute or the condition.
    public let name: FlagText

    /// A part of a source's evaluation.
    public init(_ source: String, _ kind: Kind, _ name: String) {
        (self.source, self.kind, self.name) = (FlagText(source), kind, FlagText(name))
    }

    /// The order of lists: by source, attributes first, then by name.
    public static func < (a: ContextPart, b: ContextPart) -> Bool {
        if a.source != b.source { return a.source < b.source }
        return a.kind == b.kind ? a.name < b.name : a.kind == .attribute
    }

    /// The part for a message, such as `condition "Beta"`.
    public var label: String { "\(kind.rawValue) \(JSONOutput.quoted(name.string, limit: 60))" }

    /// A value of the part for a message; `nil` is a part that is not changed.
    public func shown(_ value: String?) -> String {
        switch (kind, value) {
        case (_, nil): "not set"
        case (.attribute, "null"): "left out"
        case (.attribute, let value?): value
        case (.condition, "null"): "by its rule"
        case (.condition, let value?): value == "true" ? "on" : "off"
        }
    }
}

/// A tester's change of one part of the evaluation of a source.
public struct ContextPartChange: Sendable, Hashable {
    /// The part.
    public let part: ContextPart
    /// The value before and after as JSON; `nil` if the part is not changed by the tester. See
    /// ``ContextOverride/parts(of:)``.
    public let old: String?
    /// See ``old``.
    public let new: String?

    /// A change of one part.
    public init(_ part: ContextPart, old: String?, new: String?) { (self.part, self.old, self.new) = (part, old, new) }

    /// The change that undoes this one.
    public var inverse: ContextPartChange { ContextPartChange(part, old: new, new: old) }

    /// The change as one line: `condition "Beta": not set -> on`.
    public var sentence: String { "\(part.label): \(part.shown(old)) -> \(part.shown(new))" }
}

extension FlagTable<ContextOverride> {
    /// The values of all changed parts as JSON; see ``ContextOverride/parts(of:)``.
    package var parts: [ContextPart: String] {
        sortedByKey.reduce(into: [:]) { parts, entry in
            parts.merge(entry.value.parts(of: entry.key)) { first, _ in first }
        }
    }

    /// The differences from older overrides, in the order of their parts.
    package func changes(from old: FlagTable<ContextOverride>) -> [ContextPartChange] {
        let (before, after) = (old.parts, parts)
        return Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }.sorted()
            .map { ContextPartChange($0, old: before[$0], new: after[$0]) }
    }
}
