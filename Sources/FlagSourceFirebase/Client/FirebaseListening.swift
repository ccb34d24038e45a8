import FlagModel
import FlagRemote

/// Subscribes to realtime updates, fetches the changes they report, and signals them.
struct FirebaseListening: Sendable {
    /// How a connection ended.
    private enum End {
        /// The service closed it, or it broke off: reconnect.
        case closed(SourceError)
        /// The connection failed; it is retried a few times.
        case failed(SourceError)
        /// There is no further connection.
        case over(SourceError)
        /// Nobody subscribes any more.
        case abandoned
    }

    /// How many connections in a row are attempted, as in the SDK for iOS.
    private static let attempts = 7
    /// How often values are requested that the service has reported but does not have yet.
    private static let fetchAttempts = 3
    /// The statuses after which a connection is retried: those of the SDK for iOS, and 408 of that for the web.
    private static let passing = [408, 429, 502, 503, 504]

    /// What decides the wait before the next connection.
    private struct Course {
        /// How many connections in a row failed.
        var failures = 0
        /// How many in a row ended before they had lasted as long as the longest wait between them.
        var closings = 0
        /// The wait that the service named for after the current connection, in seconds.
        var asked: Int64 = 0
    }

    let source: FirebaseClientSource
    let news: AsyncStream<SourceHint>.Continuation
    /// How long to wait for the body of an error response; the status alone counts too.
    var patience = Duration.seconds(3)

    private var client: SourceClient { source.client }

    /// Runs until the task is cancelled, the service disables updates, or no connection succeeds.
    func run() async {
        var course = Course()
        // As in the SDKs the attempts of earlier runs count, and there is at least one.
        let kept = source.file.content.realtime
        course.failures = min(kept.failures, Self.attempts - 1)
        if let rest = kept.rest(at: client.clock.now()) {
            news.yield(.disconnected(Self.postponed(rest, source.name)))
            guard (try? await client.clock.sleep(rest)) != nil else { return }
        }
        while !Task.isCancelled {
            course.asked = 0
            let end = await listen(&course)
            let error: SourceError
            switch end {
            case .abandoned: return
            case .over(let reason):
                news.yield(.disconnected(reason))
                return
            case .closed(let reason):
                course.closings += 1
                error = reason
            case .failed(let reason):
                course.failures += 1
                guard course.failures < Self.attempts else {
                    if reason.status != nil { keep(course.failures, for: wait(course, reason)) }
                    news.yield(.disconnected(Self.exhausted(reason)))
                    return
                }
                error = reason
            }
            news.yield(.disconnected(error))
            let wait = wait(course, error)
            // An unreachable network does not matter to the next run.
            if error.status != nil || course.asked > 0 { keep(course.failures, for: wait) }
            guard (try? await client.clock.sleep(wait)) != nil else { return }
        }
    }

    /// Stores for the next run how often a connection was attempted, and how long to wait.
    private func keep(_ failures: Int, for wait: Duration) {
        let now = client.clock.now().seconds
        let until = Timestamp(seconds: now + wait.components.seconds)
        keep(FirebaseRecord.Restraint(failures: failures, until: until))
    }

    private func keep(_ restraint: FirebaseRecord.Restraint) {
        guard source.file.content.realtime != restraint else { return }
        source.file.update { record in
            guard record.realtime != restraint else { return false }
            record.realtime = restraint
            return true
        }
    }

    private static func postponed(_ rest: Duration, _ name: String) -> SourceError {
        SourceError(
            code: .throttled, path: name,
            sentence:
                "live updates from Firebase start in \(rest.components.seconds) s, as they were rejected or "
                + "failed in an earlier run; polling continues",
            retryAfter: rest)
    }

    /// The wait before the next connection: that of the SDK, and at least that of the service.
    private func wait(_ course: Course, _ error: SourceError) -> Duration {
        max(wait(course), .seconds(course.asked), error.retryAfter ?? .zero)
    }

    private func wait(_ course: Course) -> Duration {
        let chance = client.clock.chance()
        guard course.failures == 0 else {
            return FirebaseMemory.wait(afterFailures: course.failures, chance: chance)
        }
        return EventFeed.backoff.wait(afterFailures: course.closings, chance: chance)
    }

    private static func exhausted(_ error: SourceError) -> SourceError {
        SourceError(
            code: error.code, path: error.path,
            sentence: "\(error.sentence); live updates failed \(attempts) times and are not retried")
    }

    /// Reads one connection.
    private func listen(_ course: inout Course) async -> End {
        let question: SourceRequest
        let stream: SourceStream
        do throws(SourceError) {
            let installation = try await source.installations.installation(client)
            var limits = client.streamLimits
            limits.silence = max(limits.silence, FirebaseClientSettings.realtimeSilence)
            question = source.settings.realtimeRequest(installation, source.memory.known)
            stream = try await client.open(question, limits: limits)
            if let failure = await failure(stream, of: question) {
                guard failure.status == 401, source.installations.refused(installation) else {
                    return Self.end(failure)
                }
                // Its token comes from an earlier run, so retry with a new one.
                return await listen(&course)
            }
        } catch {
            guard !Task.isCancelled else { return .abandoned }
            // What is not a stream of updates, such as one that is too large, does not become one by a retry.
            return error.isTransient && error.code != .malformed ? .failed(error) : .over(error)
        }
        // A proxy in front of a service responds with HTML pages.
        guard stream.headers["Content-Type"]?.lowercased().contains("json") != false else {
            return .closed(
                error(
                    .malformed, "live updates from Firebase are malformed; check the network and any proxy"
                ))
        }
        course.failures = 0
        keep(FirebaseRecord.Restraint())
        news.yield(.connected)
        let start = client.clock.now()
        let end = await read(stream, of: question, &course)
        let life = Duration.seconds(client.clock.now().seconds - start.seconds)
        if life >= EventFeed.longestWait { course.closings = 0 }
        return end
    }

    private func read(_ stream: SourceStream, of question: SourceRequest, _ course: inout Course) async -> End {
        var messages = RealtimeMessages()
        var chunks = stream.chunks.makeAsyncIterator()
        do throws(SourceError) {
            while let chunk = try await chunks.next() {
                for object in messages.take(chunk) {
                    guard let object else {
                        return .closed(error(.malformed, "Firebase sent an update that is not JSON"))
                    }
                    if let end = await take(object, of: question, &course.asked) { return end }
                }
                guard messages.pendingCount <= RealtimeMessages.sizeLimit else {
                    return .closed(error(.tooLarge, "Firebase sent an update that is too large"))
                }
            }
        } catch {
            return Task.isCancelled ? .abandoned : .closed(error)
        }
        return Task.isCancelled
            ? .abandoned
            : .closed(error(.unreachable, "Firebase closed the connection for live updates; reconnecting"))
    }

    /// Handles a message. Returns how it ends the connection; `nil` if it continues.
    private func take(_ object: JSONValue, of question: SourceRequest, _ asked: inout Int64) async -> End? {
        if let refusal = object["error"], refusal.kind == .object { return end(refusal, in: object, of: question) }
        let message = RealtimeMessage(object)
        if message.isDisabled {
            return .over(
                error(.rejected, "Firebase has disabled live updates for this project; polling continues"))
        }
        if let seconds = message.retryInterval {
            asked = min(max(asked, seconds), RetryAfter.longest.components.seconds)
        }
        if let version = message.templateVersion, version > source.memory.known.templateVersion {
            await fetch(version)
        }
        return Task.isCancelled ? .abandoned : nil
    }

    /// How a connection ends after an error within it. Only 403 says that the API is not enabled.
    private func end(_ refusal: JSONValue, in object: JSONValue, of question: SourceRequest) -> End {
        let status = refusal["code"]?.flagText.flatMap { Int($0.string) }
        let told = question.masking(SourceResponse(status: status ?? 0, body: Array(object.source.utf8)))
        let words = FirebaseRefusal.detail(told).map { question.masking($0) }
        let said = words.map { " (\(JSONOutput.quoted($0, limit: 200)))" } ?? ""
        switch status {
        case 403?:
            return .over(
                error(
                    .refused,
                    "Firebase rejected live updates for this app\(said); enable the Firebase Remote Config Realtime "
                        + "API in the Google Cloud console"))
        case (400...599)?: return Self.end(failure(told, words))
        default: return .failed(error(.faulty, "Firebase ended live updates with an error\(said); retry later"))
        }
    }

    /// Fetches a template that the service has reported. Not all its servers may have it at once: up to three times,
    /// each after up to three seconds, so that not all apps send requests at the same moment. While rate limited there
    /// is no request; the engine fetches after that.
    private func fetch(_ version: Int) async {
        let known = source.memory.known
        // Newer than the known values, but not as new as reported.
        var newer: SourceAnswer?
        for attempt in 1...Self.fetchAttempts {
            let delay = Int(client.clock.chance() * 4)
            guard (try? await client.clock.sleep(.seconds(delay))) != nil else { return }
            if let restraint = source.memory.restraint(at: client.clock.now()) { return tell(newer, or: restraint) }
            let isLast = attempt == Self.fetchAttempts
            do throws(SourceError) {
                let fetched = try await source.ask(since: known.etag, .realtime(attempt: attempt))
                let found = fetched.templateVersion
                if let found, found < version {
                    if found > known.templateVersion, fetched.answer != .unchanged { newer = fetched.answer }
                    if isLast { tell(newer, or: outdated(found, version)) }
                } else if fetched.answer != .unchanged {
                    return tell(.success(fetched.answer))
                } else if found != nil {
                    return
                } else if isLast {
                    source.memory.noteIdle(templateVersion: version)
                    if let newer { tell(.success(newer)) }
                }
            } catch {
                guard error.code != .cancelled else { return }
                guard isLast || error.retryAfter != nil || !error.isTransient else { continue }
                return tell(newer, or: error)
            }
        }
    }

    private func tell(_ answer: SourceAnswer?, or error: SourceError) {
        tell(answer.map(Result.success) ?? .failure(error))
    }

    /// Signals an update, which the next fetch returns, or why there is none.
    private func tell(_ fetched: Result<SourceAnswer, SourceError>) {
        source.memory.keep(fetched)
        news.yield(.changed)
    }

    private func outdated(_ found: Int, _ version: Int) -> SourceError {
        SourceError(
            code: .faulty, path: source.name,
            sentence:
                "Firebase announced version \(version) of the template, but returned version \(found) in "
                + "\(Self.fetchAttempts) requests; retry later")
    }

    private func error(_ code: SourceError.Code, _ sentence: String) -> SourceError {
        SourceError(code: code, path: source.name, sentence: sentence)
    }

    /// Why a response is not a stream, with the service's explanation. As in the SDKs only 200 is one.
    private func failure(_ stream: SourceStream, of request: SourceRequest) async -> SourceError? {
        var head = SourceResponse(status: stream.status, headers: stream.headers)
        guard head.status != 200 else { return nil }
        head.body = await words(stream.chunks)
        return failure(head, FirebaseRefusal.detail(request.masking(head)).map { request.masking($0) })
    }

    private func failure(_ response: SourceResponse, _ words: String?) -> SourceError {
        var failure =
            SourceError(response, of: source.name, now: client.clock.now(), detail: words)
            ?? error(
                .malformed,
                "Firebase offers no live updates (HTTP status \(response.status)); not retried"
            )
        failure.status = response.status
        return failure
    }

    /// The body of an error response, as far as it arrives in a few seconds: the silence limit of updates does not
    /// apply.
    private func words(_ chunks: ByteChunks) async -> [UInt8] {
        await withTaskGroup(of: [UInt8]?.self) { [patience] group in
            group.addTask {
                var (words, pieces) = ([UInt8](), chunks.makeAsyncIterator())
                while words.count < RealtimeMessages.sizeLimit, let piece = try? await pieces.next() { words += piece }
                return words
            }
            group.addTask {
                // Cancelled when the body is complete.
                try? await Task.sleep(for: patience)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return await group.reduce(first ?? []) { $1 ?? $0 }
        }
    }

    /// How a connection ends after an error response.
    private static func end(_ refusal: SourceError) -> End {
        refusal.status.map { passing.contains($0) } == true ? .failed(refusal) : .over(refusal)
    }
}
