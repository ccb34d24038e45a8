"""The protections that run.py breaks: in each, one edit and the test that must fail with it."""
import re
from typing import NamedTuple


class Control(NamedTuple):
    name: str
    broken: str
    build: int
    test: str
    file: str
    old: str
    new: str

    @property
    def filter(self):
        """The pattern for `swift test --filter` that matches the test alone."""
        suite, name = self.test.split("/")
        module, suites = suite.split(".", 1)
        return f"^{module}\\.{suites.replace('.', '/')}/`?{re.escape(name.split('(')[0])}`?\\("


CONTROLS = [
    Control(
        "sync-file", "the temporary file is not synchronized", 0,
        "FlagStorageTests.FaultTests/a file is synchronized before its rename()",
        "Sources/FlagStorage/Files/FileReplacement.swift",
        "        if durability == .full { try file.synchronize() }\n",
        ""),
    Control(
        "sync-folder", "the folder is not synchronized after the rename", 1,
        "FlagStorageTests.FaultTests/folders are synchronized before a write returns()",
        "Sources/FlagStorage/Files/FileReplacement.swift",
        "        guard let openFolder else { return nil }\n        return Folders.synchronize(openFolder)\n",
        "        _ = consume openFolder\n        return nil\n"),
    Control(
        "lock", "a writer does not wait for the lock", 0,
        "FlagStorageTests.StoreLockTests/timeout error names the lock holder()",
        "Sources/FlagStorage/Files/StoreLock.swift",
        "guard try file.lock() else { return nil }",
        "_ = try file.lock()"),
    Control(
        "rename", "the file is written in place", 1,
        "FlagStorageTests.FaultTests/death at any call leaves a usable and undoable file()",
        "Sources/FlagStorage/Files/FileReplacement.swift",
        "        let temporary = FilePath.join(folder, TemporaryName.make(for: FilePath.name(of: place.path)))\n"
        "        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW\n",
        "        let temporary = place.path\n"
        "        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW\n"),
    Control(
        "safe-text", "control characters reach the terminal", 0,
        "TerminalUITests.DisplayTextTests/no control character is unescaped()",
        "Sources/TerminalUI/DisplayText.swift",
        "func safe(_ text: String, charset: Charset = .unicode) -> String {\n        if isPlain(text) { return text }\n",
        "func safe(_ text: String, charset: Charset = .unicode) -> String {\n        if !text.isEmpty { return text }\n"),
    Control(
        "terminal", "a deadly signal does not restore the terminal", 1,
        "TerminalShellTests.OnATerminal.SignalTests/deadly signal restores the terminal and turns the mouse off(signal:)",
        "Sources/CNcurses/TerminalGuard.c",
        "        tg_give_back();\n        sigaction(signal_number, &previous[signal_number], NULL);\n",
        "        sigaction(signal_number, &previous[signal_number], NULL);\n"),
    Control(
        "precedence", "the team's value wins over the override of this machine", 0,
        "FlagModelTests.LayerTests/highest layer wins()",
        "Sources/FlagModel/Values/LayerValues.swift",
        "for layer in FlagLayer.allCases where",
        "for layer in [FlagLayer.launch, .team, .override, .remote, .default] where"),
    Control(
        "type-check", "set accepts any value", 1,
        "FlagMenuCLITests.CommandTranscriptTests/reading, changing and rejected commands match their snapshots(name:)",
        "Sources/FlagMenuCLI/Commands/SetCommand.swift",
        "$0.checked(value, allowsAny: any)",
        "$0.checked(value, allowsAny: true)"),
    Control(
        "consent", "a project file needs no consent", 0,
        "FlagMenuCLITests.TrustTests/a store outside the project needs consent()",
        "Sources/FlagWorkspace/Trust/ProjectTrust.swift",
        "guard !missing.isEmpty else { return }",
        "guard missing.count > 1_000 else { return }"),
    Control(
        "publication", "observers are notified while readers have the old values", 1,
        "FlagsTests.ObservationTests/a flag has its new value before an observer is notified()",
        "Sources/Flags/Store/FlagStore.swift",
        "return state.readFlags(in: change).compactMap { slots.withdraw($0.slot) }",
        "return [] as [any AnyObject & Sendable]"),
    Control(
        "duplicate-key", "of two members with one key, one is used silently", 0,
        "FlagModelTests.JSONReaderTests/rejects a duplicate among many keys()",
        "Sources/FlagModel/JSON/JSONReader.swift",
        "            try refuseDuplicates(among: keys.suffix(count))\n",
        ""),
    Control(
        "token", "the server answers without its token", 1,
        "FlagServerTests.AccessPolicyTests/beyond loopback, reading needs a token(fields:expected:)",
        "Sources/FlagServer/Access/AccessPolicy.swift",
        "if presented.contains(where: { reading.isEqual(to: $0) }) { return .read }",
        "if presented.contains(where: { reading.isEqual(to: $0) }) || presented.count < 9 { return .read }"),
    Control(
        "origin", "a page of any site may send requests to the server", 0,
        "FlagServerTests.AccessPolicyTests/an origin must be the server's own, or allowed for evaluation(origin:isEvaluation:isAllowed:)",
        "Sources/FlagServer/Access/AccessPolicy.swift",
        "        try checkOrigin(head, isEvaluation: isEvaluation)\n",
        ""),
    Control(
        "host", "a name that points to this machine reaches the server", 0,
        "FlagServerTests.AccessPolicyTests/a host must be a name of the server(authority:isAllowed:)",
        "Sources/FlagServer/Access/AccessPolicy.swift",
        "        try checkHost(head.authority)\n",
        ""),
    Control(
        "redirect", "credentials follow a redirect to another origin", 1,
        "FlagSourceHTTPTests.HTTPTransportTests/credentials and bodies are not sent to another origin()",
        "Sources/FlagSourceHTTP/SourceRequest+Redirect.swift",
        "next.headers = headers.withoutSecrets",
        "next.headers = headers"),
    Control(
        "private-files", "other users can read the overrides", 1,
        "FlagStorageTests.HistoryTests/files are private()",
        "Sources/FlagStorage/Files/FileReplacement.swift",
        "static let privateMode: UInt32 = 0o600",
        "static let privateMode: UInt32 = 0o644"),
    Control(
        "newer-format", "a file of a newer version is overwritten", 0,
        "FlagStorageTests.DamagedFileTests/newer format is read but not written()",
        "Sources/FlagStorage/OverrideStore.swift",
        "        case .newerFormat(let format, _): throw .newerFormat(path, format: format)\n        case .unreadable",
        "        case .newerFormat(_, let file): return TransactionBase(file: file, size: 0, hash: nil)\n        case .unreadable"),
    Control(
        "damaged-file", "a damaged file is replaced and not kept", 1,
        "FlagStorageTests.DamagedFileTests/next write sets the damaged file aside and uses the last good values(text:)",
        "Sources/FlagStorage/StoreTransaction.swift",
        "        guard let damage = transactionBase.damage else {\n",
        "        guard let damage = transactionBase.damage, path.isEmpty else {\n"),
    Control(
        "ended-override", "readers use an override after its end", 0,
        "FlagStorageTests.EndingTests/an ended override is hidden, and the next writer removes it with a record by time()",
        "Sources/FlagStorage/OverrideStore.swift",
        "        guard file.hasEnds else { return file.table }\n",
        "        guard file.hasEnds, path.isEmpty else { return file.table }\n"),
    Control(
        "past-end", "an undo brings back an end that has passed", 1,
        "FlagStorageTests.EndingTests/undo never brings a past end back()",
        "Sources/FlagStorage/Overrides/StoredOverride.swift",
        "guard var after = change.after, after.override.end?.hasEnded(at: clock) == true else { return change }",
        "guard var after = change.after, after.override.end?.hasEnded(at: clock) == true, change.key == \"\" else { return change }"),
    Control(
        "rate-limit", "a service that asked to wait is requested at once", 0,
        "FlagsTests.FetchTests/a rate-limited source gets no request until retryAfter is over, even after a restart()",
        "Sources/FlagRemote/Engine/FetchSchedule.swift",
        "guard error.code == .rateLimited || error.retryAfter != nil else { return }",
        "guard error.code == .rateLimited, error.retryAfter == nil else { return }"),
    Control(
        "pattern-cost", "a remote pattern may take hours", 1,
        "FlagSourceFirebaseTests.ConditionPatternTests/searches that could take seconds are not started; usual searches are(pattern:most:)",
        "Sources/Services/Firebase/Evaluation/ConditionPattern.swift",
        "guard cost.exponent(length: length) <= SearchCost.limit else {",
        "guard cost.exponent(length: length) <= 1.2 * SearchCost.limit else {"),
    Control(
        "masked-url", "credentials in URLs are shown", 0,
        "FlagRemoteTests.SecretTests/URLs are shown without credentials and queries(url:expected:)",
        "Sources/FlagRemote/Secrets/RedactedURL.swift",
        r'$0.isEmpty ? "?" : "?\(Secret.mask)"',
        r'$0.isEmpty ? "?" : "?\($0)"'),
    Control(
        "filter-limit", "a filter of any length keeps the server busy", 1,
        "FlagServerTests.ManagementTests/an error has its status, and a sentence that says what to do(method:path:body:status:words:)",
        "Sources/FlagServer/Management.swift",
        "private static let filterLimit = 1_024",
        "private static let filterLimit = 1_024_000"),
]
