"""noisewise publishes statistics of private data with a proven limit on what they tell about any one person.

    release = nws.median(incomes, bounds=(0, 1_000_000), epsilon=1)

You say between which values a record can lie, and epsilon, how much the answer may tell about anybody. The answer gets
just as much noise as that takes. ``print(release)`` shows what it cost and whom it protects.

Importing this package is quick: a public name is imported when it is first used, and all of them before the process
forks. `noisewise.public` says where each is.
"""

from importlib import import_module as _import_module

from noisewise.kernel import forks as _forks
from noisewise.version import __version__ as __version__


def _public():
    return _import_module("noisewise.public")


def _kinds():
    """Return a dictionary of all questions by their names. Questions that were registered later are in it too."""
    return _import_module("noisewise.questions.question").KINDS


def _load():
    """Import all public names as attributes of this package."""
    for name in _public().MODULES:
        if name not in globals():
            __getattr__(name)


_forks.load_before_forks(_load)


def __getattr__(name):
    """Import a public name at its first use, or return the function of a question that was registered later."""
    if name == "__all__":
        return _public().__all__
    if module := _public().MODULES.get(name):
        with _forks.IMPORTING:
            submodule = f"{module}.{name}" if module == __name__ else module
            found = _import_module(submodule)
        return globals().setdefault(name, found if module == __name__ else getattr(found, name))
    if not name.startswith("_") and name in _kinds():
        return _kinds()[name].function
    message = _import_module("noisewise.calls").no_attribute("module 'noisewise'", name, __dir__())
    raise AttributeError(message, name=name, obj=_import_module("noisewise"))


def __dir__():
    return sorted({*_public().__all__, *_kinds()})
