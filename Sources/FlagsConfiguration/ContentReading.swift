#if Configuration
import Configuration
import FlagModel

/// Decodes the text of a flag as content of swift-configuration.
///
/// Texts are decoded as for declared flags: Firebase's words for a bool, strict numbers. An array is a JSON array, with
/// each element decoded like the text of a flag: `["1", 2]` is an array of two whole numbers.
struct ContentReading: Sendable {
    /// Decodes bytes from a text.
    let bytes: any ConfigBytesFromStringDecoder

    /// The content of a text as a type; `nil` if the text is not valid for the type.
    func content(of text: String, as type: ConfigType) -> ConfigContent? {
        switch type {
        case .string: .string(text)
        case .int: FlagReading.int(text).map(ConfigContent.int)
        case .double: FlagReading.double(text).map(ConfigContent.double)
        case .bool: FlagReading.bool(text).map(ConfigContent.bool)
        case .bytes: bytes.decode(text).map(ConfigContent.bytes)
        case .stringArray: elements(of: text) { $0 }.map(ConfigContent.stringArray)
        case .intArray: elements(of: text, by: FlagReading.int).map(ConfigContent.intArray)
        case .doubleArray: elements(of: text, by: FlagReading.double).map(ConfigContent.doubleArray)
        case .boolArray: elements(of: text, by: FlagReading.bool).map(ConfigContent.boolArray)
        case .byteChunkArray: elements(of: text, by: bytes.decode).map(ConfigContent.byteChunkArray)
        }
    }

    /// The elements of a JSON array; `nil` if the text is not an array, or if any element is not valid.
    private func elements<Element>(of text: String, by read: (String) -> Element?) -> [Element]? {
        // For a text that is not JSON, the store uses the next layer and reports the text.
        guard let root = try? JSONDocument(parsing: FlagText(text)).root, root.kind == .array else { return nil }
        let elements = root.elements.compactMap { value in
            value.isContainer ? nil : value.flagText.flatMap { read($0.string) }
        }
        return elements.count == root.count ? elements : nil
    }
}

extension ConfigType {
    /// The name of the type in reports of invalid texts.
    var reportName: String {
        switch self {
        case .string, .int, .double, .bool: rawValue
        case .bytes: "text of bytes"
        case .stringArray: "JSON array of strings"
        case .intArray: "JSON array of ints"
        case .doubleArray: "JSON array of doubles"
        case .boolArray: "JSON array of bools"
        case .byteChunkArray: "JSON array of texts of bytes"
        }
    }
}
#endif
