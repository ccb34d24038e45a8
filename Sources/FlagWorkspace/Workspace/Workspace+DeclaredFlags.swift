package import FlagModel
import FlagPresence
import FlagQueries
import FlagRemote
import FlagStorage
import Flags

// What the code of apps declares.
extension Workspace {
    /// The flags that the code of running apps declares or, if none runs, that the app declared last, sorted by key; and
    /// what is unclear about them, a sentence each.
    package var declaredFlags: (flags: [DeclaredFlag], warnings: [String]) {
        let reading = settings.apps.read()
        let declared = reading.declared
        let running = DeclaredFlags(declared.programs.filter { $0.seenAt == nil })
        let flags = (running.isEmpty ? declared : running).flags.sorted { FlagText($0.key) < FlagText($1.key) }
        return (flags, reading.warnings + flags.flatMap { disagreements(about: $0, in: reading.apps) })
    }

    /// The running apps that declare a flag differently from the one that started last, a sentence each.
    private func disagreements(about flag: DeclaredFlag, in running: [RunningApp]) -> [String] {
        let declaring = running.filter { $0.flag(flag.key) != nil }
        guard let used = declaring.last else { return [] }
        return declaring.filter { $0.flag(flag.key)?.withoutUse != flag }.map { other in
            "\(other.shownName) and \(used.shownName) declare \(JSONOutput.quoted(flag.key, limit: 80)) differently; the "
                + "declaration of \(used.shownName), which started last, is used."
        }
    }

    /// Why remote values are not known, as a sentence: the app reads sources of its own, and does not run; `nil` if they
    /// are known, or if the app has none.
    package var unknownRemoteValues: String? {
        guard settings.hasOnlyCode else { return nil }
        let programs = remote.snapshot.declared.programs
        guard !programs.contains(where: { $0.seenAt == nil }), let program = programs.first(where: \.hasSources) else {
            return nil
        }
        return "\(program.name) reads its own sources and does not run now, so its remote values are not known here. "
            + "Start it, or name its sources with --source."
    }

    /// Why the value of a flag is not known, as a sentence; `nil` if it is known. The default in code may not be what the
    /// app reads.
    package func unknownValueReason(_ facts: FlagFacts?) -> String? {
        facts?.explanation.winner ?? .default == .default ? unknownRemoteValues : nil
    }

    /// Requires that the value of a flag is known.
    package func requireKnownValue(of key: String, _ facts: FlagFacts?) throws(CommandFailure) {
        guard let sentence = unknownValueReason(facts) else { return }
        // The sentence was printed as a warning, unless `--quiet` is set.
        throw CommandFailure(.usage, "The value of \(key) is not known.\(settings.isQuiet ? " \(sentence)" : "")")
    }

    /// The flags of the sources and the defaults, without those that apps declare: the same documents must result in the
    /// same code on every machine. Without any document, what apps declare.
    package func documentSnapshot() throws(CommandFailure) -> RemoteSnapshot {
        guard !settings.hasOnlyCode else { return board.snapshot }
        return remote.sources.activated.snapshot(defaults: try RunStore.defaults(of: settings).values)
    }
}
