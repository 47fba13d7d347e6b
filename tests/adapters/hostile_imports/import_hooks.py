# Tries: to be asked for every import that follows
# Expect: Imported
import sys


class Finder:
    def find_spec(self, name, path=None, target=None):
        raise RuntimeError(name)


sys.meta_path.insert(0, Finder())
sys.path_hooks.insert(0, lambda path: Finder())
sys.path_importer_cache.clear()
ONE = 1
