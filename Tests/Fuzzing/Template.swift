import FlagFormats
import FlagModel

/// Any template of Firebase Remote Config, and any file of another known format, is refused or read.
func fuzz(_ bytes: [UInt8]) {
    if let template = try? FirebaseTemplate(parsing: bytes) {
        _ = RemoteDocument(template.flags(), kind: .template)
    }
    _ = try? RemoteDocument(ofAnyFormat: bytes)
}
