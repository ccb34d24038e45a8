"""A client in another language: prints a flag each time that its value changes."""

import sys
import time

from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider

url, key, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
api.set_provider(OFREPProvider(url))
client = api.get_client()
last, seen = None, 0
while seen < count or count == 0:
    details = client.get_boolean_details(key, False)
    if (details.value, details.variant) != last:
        last = (details.value, details.variant)
        seen += 1
        print(f"{key} = {str(details.value).lower()} ({details.variant})", flush=True)
    time.sleep(0.05)
