"""The editors' tests run where the editors are: `make test-editors` brings them, and says where in MPT_TEST_EDITORS."""

from __future__ import annotations

import os

collect_ignore_glob = [] if "MPT_TEST_EDITORS" in os.environ else ["*.py"]
