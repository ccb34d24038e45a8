package import FlagRemote

/// The built-in sample as a source. It is the default if no source is given.
package struct SampleSource: RemoteSource {
    package let identity: SourceIdentity = "sample"
    package let name = "built-in sample"
    package let isCached = false

    package init() {}

    package func readSynchronously() throws(SourceError) -> FetchResult? {
        .values(Array(Sample.document.utf8), version: nil)
    }
}
