# Tries: to close what the worker holds open
# Expect: Failed | Imported
import os

os.closerange(3, 200)
ONE = 1
