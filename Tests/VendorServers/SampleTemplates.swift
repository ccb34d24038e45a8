#if Network
/// A client template and a server template.
public enum SampleTemplates {
    /// A parameter of each kind, one of them in a group.
    public static let client = """
        {"conditions": [{"name": "ios", "expression": "device.os == 'ios'"}],
         "parameters": {
            "menu": {"defaultValue": {"value": "false"}, "valueType": "BOOLEAN", "description": "The new menu",
              "conditionalValues": {"ios": {"value": "true"}}},
            "color": {"defaultValue": {"useInAppDefault": true}, "conditionalValues": {
              "ios": {"rolloutValue": {"rolloutId": "r", "value": "red", "percent": 10}}}}},
         "parameterGroups": {"Shop": {"parameters": {"limit": {"valueType": "NUMBER", "defaultValue": {"value": "3"}}}}}}
        """

    /// A server template. Its percent condition applies to the id `three`, as in the protocol's worked examples, but not
    /// to `one`.
    ///
    /// - Parameter menu: the default value of `menu`.
    public static func server(_ menu: String = "plain") -> String {
        """
        {"conditions": [
            {"name": "half", "condition": {"orCondition": {"conditions": [{"andCondition": {"conditions": [
              {"percent": {"percentOperator": "BETWEEN", "seed": "3",
                "microPercentRange": {"microPercentLowerBound": 0, "microPercentUpperBound": 50000000}}}]}}]}}},
            {"name": "pro", "condition": {"customSignal": {"customSignalOperator": "STRING_EXACTLY_MATCHES",
              "customSignalKey": "plan", "targetCustomSignalValues": ["pro"]}}}],
         "parameters": {
            "menu": {"defaultValue": {"value": "\(menu)"}, "valueType": "STRING",
              "conditionalValues": {"half": {"value": "half"}, "pro": {"value": "pro"}}},
            "limit": {"defaultValue": {"value": "42"}, "valueType": "NUMBER"},
            "own": {"defaultValue": {"useInAppDefault": true}}}}
        """
    }
}
#endif
