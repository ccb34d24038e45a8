import FlagModel
import FlagPresence
import FlagQueries
import FlagRemote
import FlagStorage

// What to do if nothing names the flags, and what earlier versions stored elsewhere.
extension Settings {
    /// Prints which app a command uses, if nothing names one, and offers earlier overrides.
    ///
    /// - Throws: an error that lists what was found, if nothing says which flags are meant.
    func requireFlags() throws(CommandFailure) {
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
    var startSentence: String? {
        guard let foundAppReason else { return sharedPipeReason ?? earlierOverridesOnce() }
        let earlier = hasOnlyCode ? nil : earlierOverrides
        return [foundAppReason, earlier].compactMap { $0 }.joined(separator: " ")
    }

    /// The documents to choose from: those of the typed folder, or else of the working directory.
    var offeredDocuments: [String] {
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

    /// A sentence about overrides of the same source under another app id, and how to use them here; `nil` if there are
    /// none.
    ///
    /// Without `flagmenu.json`, a source has an app id of its own. Earlier versions used the bare name of a document, which
    /// may also be the id of an app, and that of the built-in sample for all defaults.
    var earlierOverrides: String? {
        let document = Self.document(sources, defaults)
        guard storeDirectory == stateDirectory, document.map(PipeSource.isPipe) != true else { return nil }
        let ids = [
            Self.appName(nil, sources, defaults, hasTeam: false), document.map(AppFolders.name(ofDocument:)),
            sources.isEmpty && defaults != nil ? AppFolders.sampleApp : nil,
        ]
        for id in ids.compactMap({ $0 }) where id != app && AppFolders.isName(id) {
            let folder = AppFolders(app: id, environment).state
            let table = OverrideStore(directory: folder, author: "", now: SourceClock.system.now, readOnlyReason: nil)
                .read().table
            let count = table.changeCount
            guard count > 0, !RunningApps(in: [folder]).hasAny else { continue }
            // Overrides of the sample itself are of no use here.
            let values = id == AppFolders.sampleApp ? (try? RunStore.defaults(of: self))?.values : nil
            if let values, !table.overrides.keys.contains(where: { values[$0] != nil }) { continue }
            let title = document.map(FilePath.name(of:)) ?? sourceTitle
            let option =
                project == nil
                ? document.map { " \(sources.isEmpty ? "--defaults" : "--source") \(ShellCommand.word($0))" } : nil
            return
                "\(table.changesCounted) of \(title) \(count == 1 ? "is" : "are") stored under the app id \(id), "
                + "and not used here. flagmenu import \(ShellCommand.word(OverrideStore.path(in: folder)))\(option ?? "") "
                + "uses \(count == 1 ? "it" : "them") here, too."
        }
        return nil
    }

    /// ``earlierOverrides`` if the document has never been opened before. Creates its folder, so that this is said once.
    func earlierOverridesOnce() -> String? {
        guard app != appTitle, !isQuiet, readOnlyReason == nil, !DurableFile.hasName(stateDirectory),
            let sentence = earlierOverrides
        else { return nil }
        // If the folder cannot be created, the sentence is printed again.
        _ = try? DurableFile.createFolder(stateDirectory)
        return sentence
    }
}
