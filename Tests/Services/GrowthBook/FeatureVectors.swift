#if Network
/// Features with the values that GrowthBook's client for Python (`growthbook` 4.0.0) gives them, by attributes. The key
/// of each feature is `feature`.
enum FeatureVectors {
    static let json = #"""
        [
        {"feature": {"defaultValue": "off", "rules": [{"force": "on", "coverage": 0.5}]},
         "values": [[{"id": "user-1"}, "off"], [{"id": "user-2"}, "off"], [{"id": "user-3"}, "on"], [{"id": "user-4"},
           "on"], [{"id": "user-5"}, "on"], [{"id": "ü😀"}, "on"], [{}, "off"], [{"id": ""}, "off"], [{"id": 7},
           "off"], [{"id": 7.0}, "off"], [{"id": 0}, "off"], [{"company": "c1"}, "off"]]},
        {"feature": {"defaultValue": "off", "rules": [{"force": "on", "coverage": 0.5, "hashVersion": 2, "seed":
          "seed"}]},
         "values": [[{"id": "user-1"}, "on"], [{"id": "user-2"}, "on"], [{"id": "user-3"}, "on"], [{"id": "user-4"},
           "off"], [{"id": "user-5"}, "on"], [{"id": "ü😀"}, "on"]]},
        {"feature": {"defaultValue": "off", "rules": [{"force": "on", "coverage": 0}]},
         "values": [[{"id": "user-1"}, "off"], [{"id": "user-2"}, "off"]]},
        {"feature": {"defaultValue": "off", "rules": [{"force": "on", "coverage": 1}]},
         "values": [[{"id": "user-1"}, "on"], [{"id": "user-2"}, "on"], [{}, "off"]]},
        {"feature": {"defaultValue": "off", "rules": [{"force": "on", "range": [0.25, 0.75], "hashVersion": 2,
          "hashAttribute": "company"}]},
         "values": [[{"company": "c0"}, "off"], [{"company": "c1"}, "on"], [{"company": "c2"}, "off"], [{"company":
           "c3"}, "off"], [{"company": "c4"}, "on"], [{"company": "c5"}, "on"], [{"id": "user-1"}, "off"]]},
        {"feature": {"defaultValue": "off", "rules": [{"force": "on", "hashVersion": 3, "coverage": 0.9}]},
         "values": [[{"id": "user-1"}, "off"], [{"id": "user-2"}, "off"]]},
        {"feature": {"defaultValue": "d", "rules": [{"variations": ["a", "b", "c"]}]},
         "values": [[{"id": "user-1"}, "c"], [{"id": "user-2"}, "b"], [{"id": "user-3"}, "a"], [{"id": "user-4"},
           "b"], [{"id": "user-5"}, "a"], [{"id": "ü😀"}, "a"], [{}, "d"]]},
        {"feature": {"defaultValue": "d", "rules": [{"key": "test", "variations": ["a", "b"], "weights": [0.2, 0.8],
          "hashVersion": 2}]},
         "values": [[{"id": "user-1"}, "a"], [{"id": "user-2"}, "b"], [{"id": "user-3"}, "b"], [{"id": "user-4"},
           "a"], [{"id": "user-5"}, "b"], [{"id": "ü😀"}, "b"]]},
        {"feature": {"defaultValue": "d", "rules": [{"key": "test", "variations": ["a", "b"], "coverage": 0.4}]},
         "values": [[{"id": "user-1"}, "d"], [{"id": "user-2"}, "a"], [{"id": "user-3"}, "b"], [{"id": "user-4"},
           "d"], [{"id": "user-5"}, "d"], [{"id": "ü😀"}, "a"]]},
        {"feature": {"defaultValue": "d", "rules": [{"key": "test", "variations": ["a", "b"], "weights": [0.5]}]},
         "values": [[{"id": "user-1"}, "a"], [{"id": "user-2"}, "a"], [{"id": "user-3"}, "b"]]},
        {"feature": {"defaultValue": "d", "rules": [{"key": "test", "variations": ["a", "b"], "weights": [0.1,
          0.1]}]},
         "values": [[{"id": "user-1"}, "a"], [{"id": "user-2"}, "a"], [{"id": "user-3"}, "b"]]},
        {"feature": {"defaultValue": 0, "rules": [{"key": "test", "seed": "s2", "hashVersion": 2, "variations": [1, 2,
          3], "ranges": [[0, 0.1], [0.1, 0.2], [0.5, 1]]}]},
         "values": [[{"id": "user-1"}, 3], [{"id": "user-2"}, 3], [{"id": "user-3"}, 2], [{"id": "user-4"}, 0],
           [{"id": "user-5"}, 2], [{"id": "ü😀"}, 2]]},
        {"feature": {"defaultValue": "d", "rules": [{"variations": ["a", "b"], "namespace": ["ns", 0, 0.5]}]},
         "values": [[{"id": "user-1"}, "d"], [{"id": "user-2"}, "b"], [{"id": "user-3"}, "a"], [{"id": "user-4"},
           "a"], [{"id": "user-5"}, "d"], [{"id": "ü😀"}, "a"]]},
        {"feature": {"defaultValue": "d", "rules": [{"variations": ["a", "b"], "filters": [{"seed": "f", "ranges":
          [[0, 0.3], [0.6, 1]]}], "namespace": ["ns", 0, 0]}]},
         "values": [[{"id": "user-1"}, "b"], [{"id": "user-2"}, "b"], [{"id": "user-3"}, "a"], [{"id": "user-4"},
           "a"], [{"id": "user-5"}, "d"], [{"id": "ü😀"}, "a"]]},
        {"feature": {"defaultValue": "off", "rules": [{"force": "on", "filters": [{"seed": "f", "hashVersion": 1,
          "attribute": "company", "ranges": [[0, 0.5]]}]}]},
         "values": [[{"company": "c0"}, "on"], [{"company": "c1"}, "off"], [{"company": "c2"}, "off"], [{"company":
           "c3"}, "off"], [{}, "off"]]},
        {"feature": {"defaultValue": "d", "rules": [{"key": "holdout", "hashVersion": 2, "coverage": 1, "variations":
          ["in", "out"], "weights": [0.5, 0.5], "meta": [{"key": "h"}, {"key": "p", "passthrough": true}]}, {"force":
          "next"}]},
         "values": [[{"id": "user-1"}, "in"], [{"id": "user-2"}, "next"], [{"id": "user-3"}, "in"], [{"id": "user-4"},
           "in"], [{"id": "user-5"}, "in"], [{"id": "ü😀"}, "next"]]},
        {"feature": {"defaultValue": "d", "rules": [{"variations": ["a"]}, {"force": "next"}]},
         "values": [[{"id": "user-1"}, "next"]]},
        {"feature": {"defaultValue": {}, "rules": [{"force": {"a": [1, 2]}}]},
         "values": [[{}, {"a": [1, 2]}]]},
        {"feature": {"defaultValue": "off", "rules": []},
         "values": [[{}, "off"]]},
        {"feature": {"defaultValue": null},
         "values": [[{}, null]]},
        {"feature": {"defaultValue": "off", "rules": [{"condition": {"plan": "pro"}, "force": "first"}, {"force":
          "second"}]},
         "values": [[{"plan": "pro"}, "first"], [{"plan": "free"}, "second"], [{}, "second"]]},
        {"feature": {"defaultValue": "off", "rules": [{"condition": {"age": {"$gte": 18, "$lt": 65}}, "force":
          "on"}]},
         "values": [[{"age": 18}, "on"], [{"age": 64.5}, "on"], [{"age": 65}, "off"], [{"age": 17}, "off"], [{},
           "off"]]},
        {"feature": {"defaultValue": "off", "rules": [{"condition": {"country": {"$in": ["DE", "FR"]}}, "force":
          "on"}]},
         "values": [[{"country": "DE"}, "on"], [{"country": "de"}, "off"], [{"country": ["US", "FR"]}, "on"], [{},
           "off"]]},
        {"feature": {"defaultValue": "off", "rules": [{"condition": {"country": {"$nin": ["DE", "FR"]}}, "force":
          "on"}]},
         "values": [[{"country": "DE"}, "off"], [{"country": "US"}, "on"], [{}, "on"]]},
        {"feature": {"defaultValue": "off", "rules": [{"condition": {"country": {"$ini": ["de"]}}, "force": "on"}]},
         "values": [[{"country": "DE"}, "on"], [{"country": "FR"}, "off"]]},
        {"feature": {"defaultValue": "off", "rules": [{"condition": {"n": {"$in": [1, "2", true]}}, "force": "on"}]},
         "values": [[{"n": 1}, "on"], [{"n": true}, "on"], [{"n": "1"}, "off"], [{"n": "2"}, "on"], [{"n": [3, 2]},
           "off"], [{"n": [3, "2"]}, "on"]]},
        {"feature": {"defaultValue": "off", "rules": [{"condition": {"$or": [{"a": 1}, {"b": {"$ne": 2}}], "$not":
          {"c": "x"}}, "force": "on"}]},
         "values": [[{"a": 1, "b": 2}, "on"], [{"b": 2}, "off"], [{"b": 3}, "on"], [{"a": 1, "c": "x"}, "off"]]},
        {"feature": {"defaultValue": "off", "rules": [{"condition": {"$nor": [{"a": 1}, {"a": 2}], "$and": [{"b":
          true}]}, "force": "on"}]},
         "values": [[{"a": 3, "b": true}, "on"], [{"a": 2, "b": true}, "off"], [{"b": false}, "off"]]},
        {"feature": {"defaultValue": "off", "rules": [{"condition": {"account.plan": {"$eq": "team"}}, "force":
          "on"}]},
         "values": [[{"account": {"plan": "team"}}, "on"], [{"account": {"plan": "pro"}}, "off"], [{"account":
           "team"}, "off"], [{}, "off"]]},
        {"feature": {"defaultValue": "off", "rules": [{"condition": {"tags": {"$all": ["a", "b"]}}, "force": "on"}]},
         "values": [[{"tags": ["b", "c", "a"]}, "on"], [{"tags": ["a"]}, "off"], [{"tags": "ab"}, "off"]]},
        {"feature": {"defaultValue": "off", "rules": [{"condition": {"tags": {"$size": {"$gt": 1}}}, "force": "on"}]},
         "values": [[{"tags": ["a", "b"]}, "on"], [{"tags": ["a"]}, "off"], [{}, "off"]]},
        {"feature": {"defaultValue": "off", "rules": [{"condition": {"email": {"$exists": true}}, "force": "on"}]},
         "values": [[{"email": "x"}, "on"], [{"email": null}, "off"], [{}, "off"]]},
        {"feature": {"defaultValue": "off", "rules": [{"condition": {"email": {"$not": {"$exists": true}}}, "force":
          "on"}]},
         "values": [[{"email": "x"}, "off"], [{}, "on"]]},
        {"feature": {"defaultValue": "off", "rules": [{"condition": {"x": {"$type": "array"}}, "force": "on"}]},
         "values": [[{"x": []}, "on"], [{"x": "array"}, "off"], [{}, "off"]]},
        {"feature": {"defaultValue": "off", "rules": [{"condition": {"x": null}, "force": "on"}]},
         "values": [[{}, "on"], [{"x": null}, "on"], [{"x": 0}, "off"]]},
        {"feature": {"defaultValue": "off", "rules": [{"condition": {"v": {"$vgte": "1.2.10", "$vlt": "2.0.0"}},
          "force": "on"}]},
         "values": [[{"v": "1.2.9"}, "off"], [{"v": "v1.2.10"}, "on"], [{"v": "1.10.0+build"}, "on"], [{"v":
           "2.0.0-beta.1"}, "on"], [{"v": "2.0.0"}, "off"]]},
        {"feature": {"defaultValue": "off", "rules": [{"condition": {"v": {"$vne": "1.0.0"}}, "force": "on"}]},
         "values": [[{"v": "1.0.0"}, "off"], [{"v": "1.0.0-rc"}, "on"], [{}, "on"]]},
        {"feature": {"defaultValue": "off", "rules": [{"condition": {"since": {"$gt": "2026-01-01"}}, "force":
          "on"}]},
         "values": [[{"since": "2026-11-21"}, "on"], [{"since": "2025-11-21"}, "off"], [{}, "off"]]},
        {"feature": {"defaultValue": "off", "rules": [{"condition": {"email": {"$regex": "@example\\.com$|^test@"}},
          "force": "on"}]},
         "values": [[{"email": "ana@example.com"}, "on"], [{"email": "ana@example.com.au"}, "off"], [{"email":
           "test@x"}, "on"], [{"email": "a@exampleXcom"}, "off"], [{}, "off"]]},
        {"feature": {"defaultValue": "off", "rules": [{"condition": {"email": {"$regexi": "^ANA.ex"}}, "force":
          "on"}]},
         "values": [[{"email": "ana@example.com"}, "on"], [{"email": "bana@example.com"}, "off"]]}
        ]
        """#
}
#endif
