"""Every link between the pages leads to a file that is there, and to a heading that it has."""

import re
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[1]
PAGES = [
    REPOSITORY / "README.md",
    *sorted((REPOSITORY / "docs").glob("*.md")),
    REPOSITORY / "results" / "README.md",
    REPOSITORY / "examples" / "README.md",
    *sorted((REPOSITORY / "datasets").glob("*/README.md")),
]
LINK = re.compile(r"(?:\]\(|src=\"|srcset=\")([^)\s\"]+)")


def anchors(page: Path) -> set[str]:
    """Returns what headings of a page are called in links, as GitHub makes it."""
    heads = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    plain = (re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", head).lower() for head in heads)
    return {re.sub(r"[^\w\- ]", "", head).strip().replace(" ", "-") for head in plain}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(REPOSITORY)))
def test_links_lead_somewhere(page: Path) -> None:
    for link in LINK.findall(page.read_text(encoding="utf-8")):
        if link.startswith(("http://", "https://", "mailto:")):
            continue
        name, _, anchor = link.partition("#")
        target = page if not name else (page.parent / name).resolve()
        assert target.exists(), link
        if anchor and target.suffix == ".md":
            assert anchor in anchors(target), link


def test_pages_named_in_code_are_there() -> None:
    sources = [*(REPOSITORY / "src").rglob("*.py"), *(REPOSITORY / "benchmarks").glob("*.py")]
    sources += [*(REPOSITORY / "experiments").glob("*.toml"), REPOSITORY / "pyproject.toml"]
    for path in sources:
        for name in re.findall(r"\bdocs/[\w-]+\.md", path.read_text(encoding="utf-8")):
            assert (REPOSITORY / name).is_file(), f"{path}: {name}"
