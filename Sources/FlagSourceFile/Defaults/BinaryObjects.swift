/// One object of a binary property list, its members not read.
struct BinaryObject {
    enum Kind { case bool(Bool), integer, real, date, data, ascii, utf16, array, dictionary }

    let kind: Kind
    /// The bytes after the marker and the count.
    let payload: ArraySlice<UInt8>
}

/// The objects of a binary property list, by number. Every offset and count is checked before it is followed.
///
/// The format, as `CFBinaryPList.c` of CoreFoundation describes it: eight bytes of name, the objects, a table of their
/// offsets, and a trailer of 32 bytes that says how wide offsets and numbers of objects are, how many objects there are,
/// which one is the root, and where the table begins.
struct BinaryObjects {
    let root: Int
    private let bytes: [UInt8]
    private let count: Int
    private let table: Int
    private let offsetWidth: Int
    private let referenceWidth: Int

    init(_ bytes: [UInt8]) throws(Refusal) {
        let trailer = bytes.count - 32
        guard bytes.starts(with: "bplist00".utf8), trailer > 8 else { throw .damaged }
        let numbers = (1...3).map { Int(clamping: Self.number(bytes[trailer + 8 * $0..<trailer + 8 * $0 + 8])) }
        (self.bytes, count, root, table) = (bytes, numbers[0], numbers[1], numbers[2])
        (offsetWidth, referenceWidth) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
        guard 1...8 ~= offsetWidth, 1...8 ~= referenceWidth, 8..<trailer ~= table,
            count <= (trailer - table) / offsetWidth
        else { throw .damaged }
    }

    func object(_ number: Int) throws(Refusal) -> BinaryObject {
        guard 0..<count ~= number else { throw .damaged }
        let entry = table + number * offsetWidth
        let start = Int(clamping: Self.number(bytes[entry..<entry + offsetWidth]))
        let marker = try slice(start, 1)[start]
        let low = Int(marker & 0xF)
        switch (marker >> 4, low) {
        case (0x0, 8), (0x0, 9): return BinaryObject(kind: .bool(low == 9), payload: [])
        case (0x1, 0...4): return BinaryObject(kind: .integer, payload: try slice(start + 1, 1 << low))
        case (0x2, 2...3): return BinaryObject(kind: .real, payload: try slice(start + 1, 1 << low))
        case (0x3, 3): return BinaryObject(kind: .date, payload: try slice(start + 1, 8))
        case (0x4, _): return BinaryObject(kind: .data, payload: try counted(start, of: 1))
        case (0x5, _): return BinaryObject(kind: .ascii, payload: try counted(start, of: 1))
        case (0x6, _): return BinaryObject(kind: .utf16, payload: try counted(start, of: 2))
        case (0xA, _): return BinaryObject(kind: .array, payload: try counted(start, of: referenceWidth))
        case (0xD, _): return BinaryObject(kind: .dictionary, payload: try counted(start, of: 2 * referenceWidth))
        default: throw .damaged
        }
    }

    /// The numbers of a container's members; of a dictionary first all keys, then all values.
    func references(in payload: ArraySlice<UInt8>) -> [Int] {
        stride(from: payload.startIndex, to: payload.endIndex, by: referenceWidth).map {
            Int(clamping: Self.number(payload[$0..<$0 + referenceWidth]))
        }
    }

    /// At most eight bytes as a number without sign, the most significant first.
    static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    /// The marker's lower half counts the parts, or, where it is 15, an integer after the marker does.
    private func counted(_ start: Int, of width: Int) throws(Refusal) -> ArraySlice<UInt8> {
        let low = Int(bytes[start] & 0xF)
        guard low == 0xF else { return try slice(start + 1, low, of: width) }
        let marker = try slice(start + 1, 1)[start + 1]
        guard 0x10...0x13 ~= marker else { throw .damaged }
        let size = 1 << Int(marker & 0xF)
        return try slice(start + 2 + size, Int(clamping: Self.number(slice(start + 2, size))), of: width)
    }

    /// Objects lie between the name and the table.
    private func slice(_ start: Int, _ count: Int, of width: Int = 1) throws(Refusal) -> ArraySlice<UInt8> {
        guard 8...table ~= start, count <= (table - start) / width else { throw .damaged }
        return bytes[start..<start + count * width]
    }
}
