import FlagModel
import Synchronization
import TestSupport
import Testing

@testable import FlagPresence

/// How the menu reads which apps run.
@Suite(.slow, .mayBlock) struct AppsFollowerTests {
    private let workplace = Workplace()

    private func write(_ file: PresenceFile, startedAt: Int64 = 0) throws {
        let app = RunningApp(id: file.id, name: "shop", process: 4242, startedAt: startedAt, flags: [])
        try file.write(app.text(flags: []))
    }

    /// A started follower, and the number of readings, and the apps in the last one.
    private func follower() -> (AppsFollower, @Sendable () -> (count: Int, running: [RunningApp])) {
        let readings = Mutex<(count: Int, running: [RunningApp])>((0, []))
        let follower = AppsFollower(RunningApps(in: [workplace.path])) { reading in
            readings.withLock { $0 = ($0.count + 1, reading.apps) }
        }
        follower.start()
        return (follower, { readings.withLock { $0 } })
    }

    @Test func `apps are read again each second as long as one runs`() throws {
        let file = PresenceFile(in: workplace.path)
        try write(file)
        let (follower, readings) = follower()
        defer { follower.stop() }
        #expect(Clock.wait { readings().count >= 3 })
        file.end()
        #expect(Clock.wait { readings().running.isEmpty })
        // The reading of the last tick may still come.
        let count = readings().count
        #expect(!Clock.wait(atMost: 2.5) { readings().count > count + 1 }, "no app runs, so nothing changes with time")
    }

    @Test func `many changes are merged, and the last one is read`() throws {
        let file = PresenceFile(in: workplace.path)
        try write(file)
        let (follower, readings) = follower()
        defer { follower.stop() }
        #expect(Clock.wait { readings().count >= 1 })
        let begin = Clock.seconds()
        for number in 1...400 {
            try write(file, startedAt: Int64(number))
        }
        #expect(Clock.wait { readings().running.first?.startedAt == 400 })
        let limit = Int((Clock.seconds() - begin) * 20) + 20
        #expect(readings().count <= limit, "\(readings().count) readings, at most \(limit) were expected")
    }
}
