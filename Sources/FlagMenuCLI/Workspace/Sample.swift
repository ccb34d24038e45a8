import DeveloperMenuTerminal
import FlagModel

extension Sample {
    /// The sample, read.
    static func snapshot(defaults: ValueTable) throws(CommandFailure) -> RemoteSnapshot {
        do throws(DocumentError) {
            return RemoteSnapshot(documents: [try RemoteDocument(parsing: Array(document.utf8))], defaults: defaults)
        } catch {
            throw CommandFailure(.usage, "The built-in sample cannot be read: \(error.asSentence)")
        }
    }
}
