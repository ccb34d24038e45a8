"""A client in another language: prints a flag each time that its value changes."""
import sys
import time

from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider

url, key = sys.argv[1:]
api.set_provider(OFREPProvider(url))
client, last = api.get_client(), None
while True:
    details = client.get_boolean_details(key, False)
    if (details.value, details.variant) != last:
        last = (details.value, details.variant)
        print(f"{key} = {str(details.value).lower()} ({details.variant})", flush=True)
    time.sleep(0.05)
