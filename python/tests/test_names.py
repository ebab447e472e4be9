"""The public names of the package are those that names.txt keeps, with the parameters that they take by name.

``ESTOC_KEEP=1`` writes the file anew; docs/compatibility.md says what may change."""

import importlib
import inspect
import os
from pathlib import Path

import pytest

KEPT = Path(__file__).with_name("names.txt")
MODULES = ["estoc", "estoc.analysis", "estoc.arrow", "estoc.embreex", "estoc.open3d", "estoc.pyvista", "estoc.trimesh"]
#: How parameters are passed that are not just the next one: only by name, or any number of them.
MARKS = {
    inspect.Parameter.KEYWORD_ONLY: "*",
    inspect.Parameter.VAR_POSITIONAL: "...",
    inspect.Parameter.VAR_KEYWORD: "...",
}


def described(name, value):
    """Yields a line for a value, and one for each public member of a class."""
    if inspect.isclass(value) and issubclass(value, BaseException):
        yield f"{name}: {', '.join(base.__name__ for base in value.__mro__[1:-2])}"
    elif inspect.isclass(value):
        # A tuple is also taken apart by position.
        yield name + (f": {', '.join(value._fields)}" if hasattr(value, "_fields") else "")
        yield from (line for member in sorted(dir(value)) for line in member_of(name, value, member))
    elif callable(value):
        yield f"{name}({parameters(value)})"
    else:
        yield name


def member_of(name, owner, member):
    value = inspect.getattr_static(owner, member)
    if member == "__init__" and inspect.isfunction(value):
        yield f"{name}.__init__({parameters(value)})"
    elif not member.startswith("_") and not hasattr(tuple, member):
        called = getattr(owner, member)
        yield f"{name}.{member}({parameters(called)})" if inspect.isroutine(called) else f"{name}.{member}"


def parameters(value):
    try:
        return ", ".join(
            MARKS.get(taken.kind, "") + taken.name + ("" if taken.default is taken.empty else "=")
            for taken in inspect.signature(value).parameters.values()
            if taken.name != "self"
        )
    except ValueError:
        return "..."


def names_of(module):
    found = importlib.import_module(module)
    public = getattr(found, "__all__", None) or sorted(name for name in vars(found) if not name.startswith("_"))
    return [line for name in sorted(public) for line in described(f"{module}.{name}", getattr(found, name))]


@pytest.mark.parametrize("module", MODULES)
def test_public_names_are_those_that_are_kept(module):
    found = names_of(module)
    of = lambda line: line.startswith(f"{module}.") and not any(
        other.startswith(f"{module}.") and line.startswith(f"{other}.") for other in MODULES
    )
    if os.environ.get("ESTOC_KEEP"):
        others = [line for line in KEPT.read_text().splitlines() if not of(line)] if KEPT.exists() else []
        KEPT.write_text("".join(f"{line}\n" for line in sorted(others + found)))
    assert [line for line in KEPT.read_text().splitlines() if of(line)] == sorted(found)
