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
        Array(#"{"project_info": {"project_number": "123", "project_id": "shop"}, "client": [\#(clients)]}"#.utf8)
    }

    private static let propertyList: [(key: FlagText, value: FlagText)] = [
        ("API_KEY", "AIza-secret"), ("GOOGLE_APP_ID", "1:123:ios:abc"), ("PROJECT_ID", "shop"),
        ("GCM_SENDER_ID", "123"), ("BUNDLE_ID", "com.shop"),
    ]

    @Test func `both files of an app have its project and key`() throws {
        let apps = [
            try FirebaseApp(googleServices: Self.file(Self.client("com.shop", key: "AIza-secret"))),
            try FirebaseApp(propertyList: ValueTable(Self.propertyList)),
        ]
        #expect(apps.map(\.appID) == ["1:123:android:com.shop", "1:123:ios:abc"])
        for app in apps {
            #expect(app.projectID == "shop" && app.projectNumber == "123" && app.bundleID == "com.shop")
            #expect(app.apiKey.reveal() == "AIza-secret" && !"\(app)".contains("AIza"))
        }
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

    @Test func `error of another property list names what is missing`() {
        let sentence = "there is no GOOGLE_APP_ID and no API_KEY; is this GoogleService-Info.plist?"
        #expect(throws: DocumentError.unknownShape(sentence)) {
            try FirebaseApp(propertyList: ValueTable(Self.propertyList.filter { $0.key == "PROJECT_ID" }))
        }
    }
}
#endif
