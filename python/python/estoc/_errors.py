"""The exceptions of estoc."""


class Error(Exception):
    """The base class of the exceptions that estoc defines."""


class MeshError(Error, ValueError):
    """A mesh cannot be made of these arrays or of this file."""


class BuildError(Error, RuntimeError):
    """A tree cannot be built."""


class QueryError(Error, ValueError):
    """A query cannot be answered."""


class SurfaceError(QueryError):
    """The surface of the mesh has no inside by the rule of the query."""


class TreeFileError(Error, ValueError):
    """A file, or bytes, are no tree that this version of estoc reads."""


class FileError(Error, OSError):
    """The system refuses to read or write a file."""


class PictureError(Error, ValueError):
    """A picture cannot be painted."""


class SceneError(Error, ValueError):
    """An object cannot be placed in a scene."""
