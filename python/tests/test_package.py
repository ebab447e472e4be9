"""What is installed beside the modules."""

from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", ["LICENSE-APACHE", "LICENSE-MIT"])
def test_the_texts_of_the_licences_are_installed(name):
    files = [path for path in metadata.files("estoc") or [] if path.name == name]
    assert len(files) == 1 and ".dist-info" in str(files[0])
    text = (ROOT / name).read_text()
    assert files[0].read_text() == text
    assert (ROOT / "python" / name).read_text() == text
