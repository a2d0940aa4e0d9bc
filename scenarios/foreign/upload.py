"""Sends a file with PUT and shows a bar, as scripts do: it counts what send() has taken."""

import http.client
import os
import sys
import time
from urllib.parse import urlsplit

BLOCK = 16 * 1024


def bar(sent, size):
    filled = "#" * (40 * sent // size)
    print(f"\r[{filled:40}] {sent / 1e6:.2f} of {size / 1e6:.2f} MB", end="", flush=True)


def upload(path, url, timeout):
    parts = urlsplit(url)
    size = os.path.getsize(path)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=timeout)
    try:
        connection.putrequest("PUT", f"{parts.path}/{os.path.basename(path)}")
        connection.putheader("Content-Length", str(size))
        connection.endheaders()
        sent = 0
        with open(path, "rb") as file:
            while block := file.read(BLOCK):
                connection.send(block)
                sent += len(block)
                bar(sent, size)
        print("\nUpload complete.", flush=True)
        answer = connection.getresponse()
        answer.read()
        print(f"The server says {answer.status}.", flush=True)
        return answer.status < 300
    except (OSError, http.client.HTTPException) as error:
        print(f"\nUpload failed: {error}", flush=True)
        return False
    finally:
        connection.close()


def main(path, url, timeout="60", tries="1"):
    for number in range(int(tries)):
        if number > 0:
            time.sleep(1)
        if upload(path, url, float(timeout)):
            return 0
    return 1


sys.exit(main(*sys.argv[1:]))
