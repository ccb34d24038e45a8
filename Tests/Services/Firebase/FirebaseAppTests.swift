#if Network
import FlagModel
import FlagRemote
import FlagSourceFirebase
import Testing

@Suite struct FirebaseAppTests {
    private static func client(_ package: String, key: String) -> String {
        """
        {"client_info": {"mobilesdk_app_id": "1:123:android:\(package)",
          "android_client_info": {"package_name": "\(package)"}}, "api_key": [{"current_key": "\(key)"}]}
        """
    }

    private static func file(_ clients: String) -> [UInt8] {
        Array(
            #"{"project_info": {"project_number": "123", "project_id": "shop"}, "client": [\#(clients)]}"#.utf8)
    }

    @Test func `google services file has project app and key`() throws {
        let app = try FirebaseApp(googleServices: Self.file(Self.client("com.shop", key: "AIza-secret")))
        #expect(app.projectID == "shop")
        #expect(app.projectNumber == "123")
        #expect(app.appID == "1:123:android:com.shop")
        #expect(app.bundleID == "com.shop")
        #expect(app.apiKey.reveal() == "AIza-secret")
        #expect(!"\(app)".contains("AIza"))
    }

    @Test func `package selects one of several apps`() throws {
        let two = Self.file(Self.client("com.shop", key: "a") + "," + Self.client("com.shop.debug", key: "b"))
        #expect(try FirebaseApp(googleServices: two, package: "com.shop.debug").apiKey.reveal() == "b")
        #expect(
            throws: DocumentError.unknownShape(
                #"the file names several apps; choose one of "com.shop", "com.shop.debug""#)
        ) { try FirebaseApp(googleServices: two) }
        #expect(
            throws: DocumentError.unknownShape(
                #"the file does not name the app "x" but "com.shop", "com.shop.debug""#)
        ) { try FirebaseApp(googleServices: two, package: "x") }
    }

    @Test(arguments: [
        ("{}", #"there is no "project_info" with a "project_id"; is this google-services.json?"#),
        (#"{"project_info": {"project_id": "p"}}"#, "the file names no app"),
        (
            #"{"project_info": {"project_id": "p"}, "client": [{}]}"#,
            #"the app has no "mobilesdk_app_id" or no "api_key"; download the file again"#
        ),
    ])
    func `error of another file names what is missing`(text: String, sentence: String) {
        #expect(throws: DocumentError.unknownShape(sentence)) { try FirebaseApp(googleServices: Array(text.utf8)) }
    }

    @Test func `property list has the same fields`() throws {
        let values: [(key: FlagText, value: FlagText)] = [
            ("API_KEY", "AIza-secret"), ("GOOGLE_APP_ID", "1:123:ios:abc"), ("PROJECT_ID", "shop"),
            ("GCM_SENDER_ID", "123"), ("BUNDLE_ID", "com.shop"),
        ]
        let app = try FirebaseApp(propertyList: ValueTable(values))
        #expect(app.appID == "1:123:ios:abc")
        #expect(app.projectNumber == "123")
        #expect(app.bundleID == "com.shop")
        #expect(
            throws: DocumentError.unknownShape(
                "there is no GOOGLE_APP_ID and no API_KEY; is this GoogleService-Info.plist?")
        ) { try FirebaseApp(propertyList: ValueTable(values.filter { $0.key == "PROJECT_ID" })) }
    }
}
#endif
