import FlagModel
import FlagPresence
import FlagQueries
import FlagRemote
import FlagStorage

// What to do if nothing names the flags, and overrides that are stored elsewhere.
extension Settings {
    /// Prints which app a command uses, if nothing names one, and offers earlier overrides.
    ///
    /// - Throws: an error that lists what was found, if nothing says which flags are meant.
    package func requireFlags() throws(CommandFailure) {
        if let sentence = startSentence { printLine(sentence) }
        guard hasNothing else { return }
        // A misspelled member may be the reason.
        project?.warnings.forEach(StandardError.warn)
        let apps = FoundApps(environment)
        let running = apps.running
        let others = apps.opened.filter { !running.contains($0) }
        let found = [
            Self.list("documents", offeredDocuments),
            Self.list("running apps", running), Self.list("apps that ran before", others),
        ].compactMap { $0 }
        let reason =
            sourceFolder.map { "\($0) is a folder" }
            ?? (running.count > 1 ? "Several apps run, and none is named" : "No source, project or app is named")
        throw CommandFailure(
            .usage,
            "\(reason), so nothing was done. "
                + (found.isEmpty ? "Nothing was found here. " : "Found: \(found.joined(separator: "; ")). ")
                + "Name one with --source or --app, or run flagmenu init; --sample uses the built-in sample.")
    }

    /// Which app is used although nothing names it, and which changes are not used, as sentences; `nil` if all is named.
    package var startSentence: String? {
        guard let foundAppReason else { return sharedPipeReason }
        let earlier = hasOnlyCode ? nil : earlierOverrides
        return [foundAppReason, earlier].compactMap { $0 }.joined(separator: " ")
    }

    /// The documents to choose from: those of the typed folder, or else of the working directory.
    package var offeredDocuments: [String] {
        guard let sourceFolder else { return ReadableDocuments.names(in: environment.workingDirectory) }
        return ReadableDocuments.names(in: sourceFolder).map { FilePath.join(sourceFolder, $0) }
    }

    private static func list(_ kind: String, _ names: [String]) -> String? {
        guard !names.isEmpty else { return nil }
        let more = names.count > 5 ? ", and \(names.count - 5) more" : ""
        return "\(kind) \(names.prefix(5).map { ShellCommand.word($0) }.joined(separator: ", "))\(more)"
    }

    /// Why changes may be those of another document, as a sentence: all documents from pipes share an app. `nil` if there
    /// are no changes, or the app is named.
    var sharedPipeReason: String? {
        guard app == Self.pipedApp, !isAppNamed, storeDirectory == stateDirectory,
            let count = (try? RunStore.overrides(of: self))?.read().table.changeCount, count > 0
        else { return nil }
        return "Using \(app), whose \(count.counted("change")) all documents from pipes share; --app names another app."
    }

    /// A sentence about overrides of the same source under the app id that it has without `flagmenu.json`, and how to use
    /// them here; `nil` if there are none.
    package var earlierOverrides: String? {
        let document = Self.document(sources, defaults)
        guard storeDirectory == stateDirectory, document.map(PipeSource.isPipe) != true,
            let id = Self.appName(nil, sources, defaults, hasTeam: false), id != app, AppFolders.isName(id)
        else { return nil }
        let folder = AppFolders(app: id, environment).state
        let table = OverrideStore(directory: folder, author: "", now: SourceClock.system.now, readOnlyReason: nil)
            .read().table
        let count = table.changeCount
        guard count > 0, !RunningApps(in: [folder]).hasAny else { return nil }
        let title = document.map(FilePath.name(of:)) ?? sourceTitle
        let option =
            project == nil
            ? document.map { " \(sources.isEmpty ? "--defaults" : "--source") \(ShellCommand.word($0))" } : nil
        return
            "\(table.changesCounted) of \(title) \(count == 1 ? "is" : "are") stored under the app id \(id), "
            + "and not used here. flagmenu import \(ShellCommand.word(OverrideStore.path(in: folder)))\(option ?? "") "
            + "uses \(count == 1 ? "it" : "them") here, too."
    }
}
