"""OpenFeature's own client, with its provider of OFREP."""
from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext

PACKAGE = "openfeature-provider-ofrep"
KINDS = {bool: "boolean", str: "string", int: "integer", float: "float", dict: "object", list: "object"}


class Client:
    def __init__(self, url, **options):
        api.set_provider(OFREPProvider(url, **options))
        self.client = api.get_client()

    def details(self, key, default, context=None):
        """The evaluation of a flag, whose type is that of the default."""
        return getattr(self.client, f"get_{KINDS[type(default)]}_details")(key, default, context)

    def value(self, key, default, context=None): return self.details(key, default, context).value

    def flags(self, defaults, context):
        """The value of each flag that has no error, and the words that FlagMenu's note must contain."""
        found = {key: self.details(key, default, context) for key, default in defaults.items()}
        return {
            key: (details.value, f"variant {details.variant}", str(details.reason))
            for key, details in found.items() if details.error_code is None}

    def expect_failure(self, checks, what, key, default, code, context=None):
        """Records whether an evaluation fails with a code and has the default; returns the error's message."""
        found = self.details(key, default, context)
        code_found = str(getattr(found.error_code, "value", found.error_code))
        checks.expect(f"{what}: default and code", (found.value, code_found), (default, code))
        return found.error_message or ""
