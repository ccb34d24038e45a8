import FlagModel
import FlagSourceFile

/// The values of in-app defaults; `nil` for a document of another kind.
func defaults(in bytes: [UInt8]) throws(DocumentError) -> ValueTable? {
    let document = try DocumentFormat.document(in: bytes)
    return document.kind == .defaults ? document.values : nil
}

/// Why a document is rejected; `nil` if it is read.
func issue(in bytes: [UInt8]) -> String? {
    do throws(DocumentError) {
        _ = try DocumentFormat.document(in: bytes)
        return nil
    } catch {
        return error.description
    }
}
