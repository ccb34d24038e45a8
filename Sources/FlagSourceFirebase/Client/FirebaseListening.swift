import FlagModel
import FlagSourceSupport

/// Listens to realtime updates, fetches what they tell of, and says so.
struct FirebaseListening: Sendable {
    /// How a connection has ended.
    private enum End {
        /// The service has closed it, or it broke off: another one is made.
        case closed(SourceError)
        /// No connection came about; it is tried again a few times.
        case failed(SourceError)
        /// There will be none.
        case over(SourceError)
        /// Nobody listens any more.
        case abandoned
    }

    /// How often a connection is tried in a row, as in the SDK for iOS.
    private static let attempts = 7
    /// How often values are asked for that the service has told of but does not have yet.
    private static let fetchAttempts = 3
    /// The wait before a connection after one that stood, in seconds; the service may ask for more.
    private static let pause = 1.0
    /// The statuses after which a connection is tried again: those of the SDK for iOS, and 408 of that for the web.
    private static let passing = [408, 429, 502, 503, 504]

    let source: FirebaseClientSource
    let news: AsyncStream<SourceHint>.Continuation
    /// How long the words of a refusal are waited for; it counts without them too.
    var patience = Duration.seconds(3)

    private var client: SourceClient { source.client }

    /// Listens until the task is cancelled, the service switches updates off, or no connection comes about.
    func run() async {
        var failures = 0
        while !Task.isCancelled {
            var asked: Int64 = 0
            let end = await listen(&failures, &asked)
            let error: SourceError
            switch end {
            case .abandoned: return
            case .over(let reason):
                news.yield(.disconnected(reason))
                return
            case .closed(let reason): error = reason
            case .failed(let reason):
                failures += 1
                guard failures < Self.attempts else {
                    news.yield(.disconnected(Self.exhausted(reason)))
                    return
                }
                error = reason
            }
            news.yield(.disconnected(error))
            let own = wait(failures)
            guard (try? await client.clock.sleep(max(own, .seconds(asked), error.retryAfter ?? .zero))) != nil else {
                return
            }
        }
    }

    private func wait(_ failures: Int) -> Duration {
        guard failures > 0 else { return .seconds(Self.pause * (0.5 + client.clock.chance())) }
        return FirebaseMemory.wait(afterFailures: failures, chance: client.clock.chance())
    }

    private static func exhausted(_ error: SourceError) -> SourceError {
        SourceError(
            code: error.code, path: error.path,
            sentence: "\(error.sentence); realtime updates were tried \(attempts) times and are not tried again")
    }

    /// Listens to one connection.
    private func listen(_ failures: inout Int, _ asked: inout Int64) async -> End {
        let question: SourceRequest
        let stream: SourceStream
        do throws(SourceError) {
            let installation = try await source.installations.installation(client)
            var limits = client.streamLimits
            limits.silence = max(limits.silence, FirebaseClientSettings.realtimeSilence)
            question = source.settings.realtimeRequest(installation, source.memory.known)
            stream = try await client.transport.open(question, limits: limits)
            if let failure = await failure(stream, of: question) { return Self.end(failure) }
        } catch {
            guard !Task.isCancelled else { return .abandoned }
            return Self.mayPass(error) ? .failed(error) : .over(error)
        }
        failures = 0
        news.yield(.connected)
        return await read(stream, of: question, &asked)
    }

    private func read(_ stream: SourceStream, of question: SourceRequest, _ asked: inout Int64) async -> End {
        var messages = RealtimeMessages()
        var chunks = stream.chunks.makeAsyncIterator()
        do throws(SourceError) {
            while let chunk = try await chunks.next() {
                for object in messages.take(chunk) {
                    guard let object else {
                        return .closed(error(.malformed, "Firebase sent an update that is no JSON"))
                    }
                    if let end = await take(object, of: question, &asked) { return end }
                }
                guard messages.pendingCount <= RealtimeMessages.sizeLimit else {
                    return .closed(error(.tooLarge, "Firebase sent an update that does not end"))
                }
            }
        } catch {
            return Task.isCancelled ? .abandoned : .closed(error)
        }
        return Task.isCancelled
            ? .abandoned
            : .closed(error(.unreachable, "Firebase has closed the connection for updates; it is made again"))
    }

    /// Does what a message says. Returns how the connection ends with it; `nil` where it goes on.
    private func take(_ object: JSONValue, of question: SourceRequest, _ asked: inout Int64) async -> End? {
        if let refusal = object["error"], refusal.kind == .object { return end(refusal, in: object, of: question) }
        let message = RealtimeMessage(object)
        if message.isDisabled {
            return .over(
                error(.rejected, "Firebase has switched realtime updates off for this project; it is asked as before"))
        }
        if let seconds = message.retryInterval {
            asked = min(max(asked, seconds), RetryAfter.longest.components.seconds)
        }
        if let version = message.templateVersion, version > source.memory.known.templateVersion {
            await fetch(version)
        }
        return Task.isCancelled ? .abandoned : nil
    }

    /// How a connection ends with an error inside of it. Only 403 says that the API is not switched on.
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
                    "Firebase does not let this app listen for updates\(said); switch the Firebase Remote Config Realtime "
                        + "API on in the Google Cloud console"))
        case (400...599)?: return Self.end(failure(told, words))
        default: return .failed(error(.faulty, "Firebase has ended its updates with an error\(said); ask again later"))
        }
    }

    /// Fetches a template that the service has told of. Its servers may not have it all at once: up to three times, each
    /// after up to three seconds, so that not all apps ask at the same moment.
    private func fetch(_ version: Int) async {
        let known = source.memory.known
        for attempt in 1...Self.fetchAttempts {
            let delay = Int(client.clock.chance() * 4)
            guard (try? await client.clock.sleep(.seconds(delay))) != nil else { return }
            do throws(SourceError) {
                let fetched = try await source.ask(since: known.etag, .realtime(attempt: attempt))
                guard (fetched.templateVersion ?? 0) >= version || attempt == Self.fetchAttempts else { continue }
                guard fetched.answer != .unchanged else { return }
                source.memory.keep(fetched.answer)
                news.yield(.changed)
                return
            } catch {
                // Whoever asks next is told; that there is news is told now.
                guard attempt == Self.fetchAttempts || !Self.mayPass(error) else { continue }
                if error.code != .cancelled { news.yield(.changed) }
                return
            }
        }
    }

    private func error(_ code: SourceError.Code, _ sentence: String) -> SourceError {
        SourceError(code: code, path: source.name, sentence: sentence)
    }

    /// Why a stream is none, with what the service says itself.
    private func failure(_ stream: SourceStream, of request: SourceRequest) async -> SourceError? {
        var head = SourceResponse(status: stream.status, headers: stream.headers)
        guard !(200...299 ~= head.status) else { return nil }
        head.body = await words(stream.chunks)
        return failure(head, FirebaseRefusal.detail(request.masking(head)).map { request.masking($0) })
    }

    private func failure(_ response: SourceResponse, _ words: String?) -> SourceError {
        var failure =
            SourceError(response, of: source.name, now: client.clock.now(), detail: words)
            ?? error(.malformed, "Firebase answers to a question for updates with none")
        failure.status = response.status
        return failure
    }

    /// What a refusal says, as far as it comes in a few seconds: the silence that updates may have is none of its.
    private func words(_ chunks: ByteChunks) async -> [UInt8] {
        await withTaskGroup(of: [UInt8]?.self) { [patience] group in
            group.addTask {
                var (words, pieces) = ([UInt8](), chunks.makeAsyncIterator())
                while words.count < RealtimeMessages.sizeLimit, let piece = try? await pieces.next() { words += piece }
                return words
            }
            group.addTask {
                // Cancelled when the words have come.
                try? await Task.sleep(for: patience)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return await group.reduce(first ?? []) { $1 ?? $0 }
        }
    }

    /// How the question for updates ends with a refusal.
    private static func end(_ refusal: SourceError) -> End {
        refusal.status.map { passing.contains($0) } == true ? .failed(refusal) : .over(refusal)
    }

    /// Whether a question besides that for updates may have an answer later.
    private static func mayPass(_ error: SourceError) -> Bool {
        switch error.code {
        case .unreachable, .timedOut, .throttled, .faulty: true
        default: false
        }
    }
}

extension FirebaseClientSettings {
    /// The question for updates.
    func realtimeRequest(_ installation: FirebaseInstallation, _ known: FirebaseMemory.Known) -> SourceRequest {
        // By its number, like the SDK for iOS; that for the web names its id.
        let project = PercentEncoding.segment(app.projectNumber ?? app.projectID)
        var headers = clientHeaders
        headers.set("X-Goog-Firebase-Installations-Auth", secret: installation.token)
        headers["X-Google-GFE-Can-Retry"] = "true"
        if let etag = known.etag { headers["If-None-Match"] = etag }
        let body = JSONOutput.object([
            ("project", .string(app.projectNumber ?? app.projectID)), ("namespace", .string("firebase")),
            ("lastKnownVersionNumber", .string(String(known.templateVersion))), ("appId", .string(app.appID)),
            ("sdkVersion", .string(Self.sdkVersion)), ("appInstanceId", .string(installation.id)),
        ])
        let path = "/v1/projects/\(project)/namespaces/firebase:streamFetchInvalidations"
        return SourceRequest(
            source: name, method: .post,
            url: realtimeURL.adding(path: path).adding(query: "key", app.apiKey.reveal()), headers: headers,
            body: Array(body.text(indented: false).utf8))
    }
}
