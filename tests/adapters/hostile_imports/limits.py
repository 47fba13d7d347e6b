# Tries: to raise its own limits
# Expect: Imported
import resource

for kind in (
    resource.RLIMIT_AS,
    resource.RLIMIT_CPU,
    resource.RLIMIT_NOFILE,
    resource.RLIMIT_FSIZE,
    resource.RLIMIT_CORE,
):
    soft, hard = resource.getrlimit(kind)
    assert hard != resource.RLIM_INFINITY, kind
    try:
        resource.setrlimit(kind, (hard + 1, hard + 1))
    except (ValueError, OSError):
        continue
    raise AssertionError("it could raise a limit")
ONE = 1
