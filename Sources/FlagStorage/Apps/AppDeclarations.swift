package import FlagModel

/// Reads which flags an app declares, from its running processes and from the last declarations of its programs.
package struct AppDeclarations: Sendable {
    /// The running processes and the declared flags of an app.
    package struct Reading: Sendable, Equatable {
        /// The running processes, the one that started first at the start.
        package let running: [RunningApp]
        /// The declared flags, also those of programs that have ended.
        package let flags: DeclaredFlags
        /// Why files were ignored, one sentence each.
        package let warnings: [String]
        /// The last declarations of programs, in each folder.
        fileprivate let kept: [KeptDeclarations.Reading]
    }

    /// The state folders of the app.
    private let folders: [String]

    /// The folders in which an app announces itself, and in which menus look: its state folder, and the folder of its
    /// overrides. A menu may have another home folder than the app.
    package static func folders(state: String, store: String) -> [String] {
        DurableFile.isSame(state, store) ? [store] : [state, store]
    }

    /// The declarations in an app's state folders.
    package init(in folders: [String]) { self.folders = folders.map(FilePath.trimmed) }

    /// The running processes, and what is wrong with other files. A process that announces itself in several folders is
    /// listed once. If it uses the overrides in one of the folders, by whatever path, it has the path of this folder.
    package var running: RunningApps.Reading {
        var ids: Set<String> = []
        var reading = folders.reduce(into: RunningApps.Reading()) { reading, folder in
            let found = RunningApps(in: folder).read()
            reading.apps += found.apps.filter { ids.insert($0.id).inserted }
            reading.warnings += found.warnings
            reading.isIncomplete = reading.isIncomplete || found.isIncomplete
        }
        for index in reading.apps.indices {
            guard let used = reading.apps[index].overrideFolder, !folders.contains(used),
                let folder = folders.first(where: { DurableFile.isSame($0, used) })
            else { continue }
            reading.apps[index].overrideFolder = folder
        }
        reading.sort()
        return reading
    }

    /// Reads all files.
    ///
    /// - Parameter old: an older reading of the same folders, of which declarations that have not changed are used.
    package func read(after old: Reading? = nil) -> Reading {
        let running = running
        let kept = folders.enumerated().map { KeptDeclarations(in: $1).read(after: old?.kept[$0]) }
        // A client of a server declares nothing. The process that started last has the newest code.
        let programs = running.apps.reversed().filter { !$0.isClient }.map {
            DeclaredFlags.Program(name: $0.name, seenAt: nil, flags: $0.flags)
        }
        return Reading(
            running: running.apps, flags: DeclaredFlags(programs + kept.flatMap(\.programs)),
            warnings: running.warnings + kept.flatMap(\.warnings), kept: kept)
    }

    /// Whether a program has ever announced itself in one of the folders.
    package var hasAny: Bool { places.contains { (try? DurableFile.names(in: $0))?.isEmpty == false } }

    /// The folders of the announcements, existing or not.
    var places: [String] { folders.flatMap { [RunningApps(in: $0).folder, KeptDeclarations(in: $0).folder] } }

    /// Calls a handler after an app has started, ended, or changed what it announces.
    package func watch(_ handler: @escaping @Sendable () -> Void) throws(StorageError) -> [DirectoryWatch] {
        var watches: [DirectoryWatch] = []
        for folder in folders { watches.append(try RunningApps(in: folder).watch(handler)) }
        return watches
    }
}
