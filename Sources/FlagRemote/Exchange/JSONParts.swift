package import FlagModel

extension JSONValue {
    /// An object with those members whose keys `isIncluded`, as JSON for writing.
    package func members(where isIncluded: (FlagText) -> Bool) -> JSONOutput {
        .object(members.filter { isIncluded($0.key) }.map { ($0.key.string, .raw($0.value.compactJSON)) })
    }

    /// The time of a member; `nil` if it is missing or not a time.
    package func timestamp(_ name: String) -> FlagTimestamp? {
        self[name]?.text.flatMap { FlagTimestamp(rfc3339: $0) }
    }
}

extension JSONOutput {
    /// The JSON without white space.
    package var bytes: [UInt8] { Array(text(indented: false).utf8) }
}
