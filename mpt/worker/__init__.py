"""What runs inside the sandbox, under the document's interpreter (Python 3.9 and later): standard library only,
imports nothing else of ours. The parent may import `mpt.worker.codec` and `mpt.worker.shapes`: trusted code."""
