# Tries: never to end, on every processor
# Expect: Failed importing it does not end
import threading


def spin():
    while True:
        pass


threading.Thread(target=spin, daemon=True).start()
spin()
