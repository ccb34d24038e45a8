import FlagModel
import FlagPresence
import FlagStorage

/// What readers of flags need, under one lock. No code of the app runs under the lock, as it may read flags.
struct StoreState {
    var shared = SharedContents(StoreContents(LayerValues()))
    /// The flags that were read, by slot; their values are published again if a layer changes.
    var readFlags: [Int: any AnyFlagDeclaration] = [:]
    /// The handlers of evaluations.
    var evaluationHandlers: [Int: EvaluationHandler] = [:]
    var lastHandler = 0
    /// Invalid texts that were logged.
    var reported: Set<RejectedValue> = []

    /// What views and models observe; see ``ObservableFlags``.
    var observed: [ObservedFlag.Content: ObservedFlag] = [:]
    /// The watch of the override file.
    var watch: DirectoryWatch?
    /// Waits for the nearest end of an override, if changes of the override file are followed; `nil` if none ends.
    var endTimer: EndTimer?
    /// Whether changes of the override file are followed.
    var isFollowing = false
    var announcer: PresenceAnnouncer?
    /// The announcements of a build without overrides.
    var closedPresence: [PresenceFile] = []
    /// The observation of the store by the announcer.
    var announcing: FlagObservation?

    /// If there are more reported texts than this, texts that no layer has any more are dropped: a service may send a
    /// different invalid text each time.
    private static let reportedLimit = 256

    var contents: StoreContents {
        get { shared.value }
        set { shared = SharedContents(newValue) }
    }

    /// The flags that were read and whose values may differ after a change.
    func readFlags(in change: StoreChange) -> [any AnyFlagDeclaration] {
        readFlags.values.filter { change.mayDiffer(FlagText($0.name)) }
    }

    /// Marks invalid texts as reported, and returns those that were not reported before.
    mutating func markReported(_ refused: [RejectedValue]) -> [RejectedValue] {
        let newTexts = refused.filter { reported.insert($0).inserted }
        if reported.count > Self.reportedLimit {
            reported = reported.filter { contents.values.text(of: $0.key, in: $0.layer) == $0.text }
        }
        return newTexts
    }
}
