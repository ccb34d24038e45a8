import FlagModel

/// Writes JSON into one array of bytes.
///
/// Writes the same text as ``JSONOutput``, but without building a tree and checking every scalar, which would be slow
/// for 100,000 overrides.
struct JSONBytes {
    private(set) var bytes: [UInt8] = []
    /// Whether each element is on a separate line, instead of all on one line.
    private let isIndented: Bool
    /// The nesting depth of open objects and arrays.
    private var depth = 0
    private var isFirst = true

    init(indented: Bool) { isIndented = indented }

    /// Appends JSON unchanged.
    mutating func raw(_ json: String) { bytes.append(contentsOf: json.utf8) }

    /// Appends a quoted string.
    mutating func string(_ text: FlagText) {
        if !text.withUTF8({ appendPlain($0) }) { raw(JSONOutput.quoted(text.string)) }
    }

    /// Appends a quoted string.
    mutating func string(_ text: String) {
        var mutableText = text
        if !mutableText.withUTF8({ appendPlain($0) }) { raw(JSONOutput.quoted(text)) }
    }

    /// Appends a quoted string without escapes; returns `false`, and appends nothing, if the text needs an escape.
    private mutating func appendPlain(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
        for byte in utf8 where byte < 0x20 || byte > 0x7E || byte == 0x22 || byte == 0x5C { return false }
        bytes.append(0x22)
        bytes.append(contentsOf: utf8)
        bytes.append(0x22)
        return true
    }

    /// Appends an object with the members that `body` writes.
    mutating func object(_ body: (inout JSONBytes) -> Void) { container("{", "}", body) }

    /// Appends an array with the elements that `body` writes.
    mutating func array(_ body: (inout JSONBytes) -> Void) { container("[", "]", body) }

    /// Begins the next element of an array.
    mutating func element() {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        breakLine()
    }

    /// Begins a line, indented by two spaces per level.
    private mutating func breakLine() {
        guard isIndented else { return }
        bytes.append(0x0A)
        for _ in 0..<2 * depth { bytes.append(0x20) }
    }

    /// Begins the next member of an object.
    mutating func member(_ name: FlagText) {
        element()
        string(name)
        colon()
    }

    /// Begins the next member of an object.
    mutating func member(_ name: String) {
        element()
        string(name)
        colon()
    }

    /// Appends a member that is a string.
    mutating func member(_ name: String, _ text: String) {
        member(name)
        string(text)
    }

    /// Appends a member that is a whole number.
    mutating func member(_ name: String, _ number: Int) {
        member(name)
        raw(String(number))
    }

    private mutating func colon() {
        bytes.append(UInt8(ascii: ":"))
        if isIndented { bytes.append(UInt8(ascii: " ")) }
    }

    private mutating func container(_ opening: String, _ closing: String, _ body: (inout JSONBytes) -> Void) {
        raw(opening)
        depth += 1
        isFirst = true
        body(&self)
        depth -= 1
        if !isFirst { breakLine() }
        isFirst = false
        raw(closing)
    }
}
