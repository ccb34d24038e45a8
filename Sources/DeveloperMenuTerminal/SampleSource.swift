package import FlagRemote

/// The built-in sample as a source: the default if nothing else is named.
package struct SampleSource: RemoteSource {
    package let identity: SourceIdentity = "sample"
    package let name = "built-in sample"
    package let isCached = false

    package init() {}

    package func fetch(
        since version: String?, progress: @escaping ProgressHandler
    ) async throws(SourceError) -> SourceAnswer { response }

    package func readSynchronously() throws(SourceError) -> SourceAnswer? { response }

    private var response: SourceAnswer { .values(Array(Sample.document.utf8), version: nil) }
}
