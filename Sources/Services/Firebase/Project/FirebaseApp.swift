public import FlagModel
public import FlagRemote

/// A Firebase app, from the file that the console offers for download.
public struct FirebaseApp: Sendable, Hashable {
    /// The project's id, used in URLs.
    public let projectID: String
    /// The project's number, used by the realtime service; also called sender id. `nil` if the file has none.
    public let projectNumber: String?
    /// The app's id, such as `1:123:ios:abc`.
    public let appID: String
    /// The bundle id or package name; `nil` if the file has none.
    public let bundleID: String?
    /// The API key of the client services.
    public let apiKey: Secret

    /// Parses `google-services.json`, the file of Android apps.
    ///
    /// - Parameter package: the package name of the app to use; `nil` if the file has only one app.
    /// - Throws: which member is missing.
    public init(googleServices bytes: [UInt8], package: String? = nil) throws(DocumentError) {
        let root = try JSONDocument(document: bytes).root
        guard let project = root["project_info"]?["project_id"]?.text?.string else {
            throw .unknownShape("there is no \"project_info\" with a \"project_id\"; is this google-services.json?")
        }
        let client = try Self.client(of: package, among: root["client"].map { Array($0.elements) } ?? [])
        let keys = client["api_key"].map { Array($0.elements) } ?? []
        guard let appID = client["client_info"]?["mobilesdk_app_id"]?.text?.string,
            let key = keys.lazy.compactMap({ $0["current_key"]?.text?.string }).first
        else {
            throw .unknownShape("the app has no \"mobilesdk_app_id\" or no \"api_key\"; download the file again")
        }
        projectID = project
        projectNumber = root["project_info"]?["project_number"]?.flagText?.string
        self.appID = appID
        bundleID = Self.package(of: client)
        apiKey = Secret(key)
    }

    /// An app from the parsed members of `GoogleService-Info.plist`, the file of apps on Apple's systems.
    ///
    /// - Throws: which member is missing.
    public init(propertyList values: ValueTable) throws(DocumentError) {
        func text(_ key: String) -> String? { values[key].flatMap { $0.isEmpty ? nil : $0.string } }
        guard let project = text("PROJECT_ID"), let app = text("GOOGLE_APP_ID"), let key = text("API_KEY") else {
            let missing = ["PROJECT_ID", "GOOGLE_APP_ID", "API_KEY"].filter { text($0) == nil }
            throw .unknownShape(
                "there is no \(missing.joined(separator: " and no ")); is this GoogleService-Info.plist?")
        }
        (projectID, appID, apiKey) = (project, app, Secret(key))
        projectNumber = text("GCM_SENDER_ID")
        bundleID = text("BUNDLE_ID")
    }

    /// The package names of the apps in a `google-services.json`; empty for other files.
    package static func packages(inGoogleServices bytes: [UInt8]) -> [String] {
        guard let root = try? JSONDocument(parsing: bytes).root else { return [] }
        return root["client"]?.elements.compactMap { package(of: $0) } ?? []
    }

    private static func client(of package: String?, among clients: [JSONValue]) throws(DocumentError) -> JSONValue {
        let names = clients.compactMap { self.package(of: $0) }
        let list = names.map { JSONOutput.quoted($0, limit: 60) }.joined(separator: ", ")
        if let package {
            if let client = clients.first(where: { self.package(of: $0) == package }) { return client }
            throw .unknownShape("the file does not name the app \(JSONOutput.quoted(package, limit: 60)) but \(list)")
        }
        if clients.count == 1 { return clients[0] }
        throw .unknownShape(
            clients.isEmpty ? "the file names no app" : "the file names several apps; choose one of \(list)")
    }

    private static func package(of client: JSONValue) -> String? {
        client["client_info"]?["android_client_info"]?["package_name"]?.text?.string
    }
}
