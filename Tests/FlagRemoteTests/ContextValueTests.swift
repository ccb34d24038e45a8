import FlagModel
import FlagRemote
import Testing

/// What an app says of its users, as services get it.
@Suite struct ContextValueTests {
    @Test func `literals of every kind are written as JSON, members by their names`() {
        let value: ContextValue = [
            "teams": ["a", "b"], "plan": "pro \("plus")", "age": 42, "share": 0.5, "beta": true,
            "address": ["city": "Paris"],
        ]
        #expect(
            value.json.text(indented: false)
                == #"{"address":{"city":"Paris"},"age":42,"beta":true,"plan":"pro plus","share":0.5,"teams":["a","b"]}"#
        )
    }

    @Test func `what JSON has no number for is null, and of one name the last value counts`() {
        #expect(ContextValue.number(.infinity).json.text(indented: false) == "null")
        #expect((["a": 1, "a": 2] as ContextValue).json.text(indented: false) == #"{"a":2}"#)
    }
}
