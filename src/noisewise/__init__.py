"""noisewise publishes statistics of private data with a proven limit on what they tell about any one person.

    release = nws.median(incomes, bounds=(0, 1_000_000), epsilon=1)

You say between which values a record can lie, and epsilon, how much the answer may tell about anybody. The answer is
random by just as much as that takes, and ``print(release)`` shows what it cost and whom it protects.

Importing this package is quick. Its public names are listed in `noisewise.public`, which is loaded when one of them is
first used, or before the process forks; `audit`, `bridges`, `hazmat` and `testing` are loaded when they are first used.
"""

import typing as _typing

from noisewise.version import __version__ as __version__

if _typing.TYPE_CHECKING:
    from noisewise.public import *
    from noisewise.public import __all__ as __all__
    from noisewise.public import max as max
    from noisewise.public import min as min
    from noisewise.public import range as range
    from noisewise.public import sum as sum
else:
    from importlib import import_module as _import_module

    from noisewise.kernel import forks as _forks

    _ON_FIRST_USE = ("audit", "bridges", "hazmat", "testing")

    def _load():
        """Make all public names attributes of this package, once."""
        public = vars(_import_module("noisewise.public"))
        if "__all__" in public and "__all__" not in globals():
            names = {name: value for name, value in public.items() if not name.startswith("_")}
            globals().update(names, __all__=public["__all__"])

    def _kinds():
        """The questions by their names, those included that were registered later."""
        return _import_module("noisewise.questions.question").KINDS

    _forks.load_before_forks(_load)

    def __getattr__(name):
        """A public name that is not loaded yet, or a question that was registered later."""
        if name == "__all__" or not name.startswith("_"):
            if name in _ON_FIRST_USE:
                with _forks.IMPORTING:
                    return _import_module(f"noisewise.{name}")
            _load()
            if name in globals():
                return globals()[name]
            if name in _kinds():
                return _kinds()[name].function
        gone = _import_module("noisewise.calls").deleted(name)
        said = gone or f"module 'noisewise' has no attribute {name!r}"
        raise AttributeError(str(said), name=name, obj=_import_module("noisewise"))

    def __dir__():
        _load()
        return sorted({*globals()["__all__"], *_kinds()})
