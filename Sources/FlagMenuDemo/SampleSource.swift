import DeveloperMenuTerminal
import FlagRemote
import Flags

/// The built-in sample as a remote source: where no file is named there is still something to show.
struct SampleSource: RemoteSource {
    let identity = "sample"
    let name = "built-in sample"

    func fetch(since version: String?) async throws(SourceError) -> SourceAnswer { answer }

    func readAtOnce() throws(SourceError) -> SourceAnswer? { answer }

    private var answer: SourceAnswer { .values(Array(Sample.document.utf8), version: nil) }
}
