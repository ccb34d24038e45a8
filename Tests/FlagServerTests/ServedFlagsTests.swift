#if Server
import FlagModel
import FlagPresence
import FlagRemote
import FlagStorage
import Flags
import TestSupport
import Testing

@testable import FlagServer

/// Server: served flags.
struct ServedFlagsTests {
    private let workplace = Workplace()

    @Test(.mayBlock) func `flags of an app that starts later are served`() async throws {
        let flags = FlagStore(
            app: "shop", access: .open, overrides: nil,
            remote: RemoteEngine(sources: [], cache: RemoteCache(folder: nil)),
            values: LayerValues())
        let served = ServedFlags(flags, ServerLimits(), presenceFolders: [workplace.path], scenarios: nil) { nil }
        #expect(served.shared.board.knownFacts(of: "express") == nil)
        let file = PresenceFile(in: workplace.path)
        let flag = DeclaredFlag(key: "express", type: .bool, defaultValue: "true")
        let app = RunningApp(id: file.id, name: "shop", process: 1, startedAt: 0, flags: [flag])
        try file.write(app.text(flags: app.flags.map { $0.json.text(indented: false) }))
        #expect(
            Clock.wait { served.shared.board.knownFacts(of: "express")?.value == "true" },
            "the flag is not served")
        let revision = served.shared.revision
        served.update()
        #expect(served.shared.revision == revision, "nothing has changed")
    }
}
#endif
