"""Configuration of the documentation site (Sphinx, MyST, Furo): `make docs` builds it into build/docs."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import ropewalk

sys.path.insert(0, str(Path(__file__).parent))  # for generated_pages and page_list
os.environ["COLUMNS"] = "100"  # the width of the help of commands

project = "Ropewalk"
author = "the Ropewalk maintainers"
release = version = ropewalk.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_copybutton", "generated_pages"]
source_suffix = {".md": "markdown"}
root_doc = "index"
exclude_patterns = ["**/*.py", "boards/*.json"]
default_role = "code"  # of single backquotes in docstrings

myst_enable_extensions = ["deflist", "fieldlist", "colon_fence"]
myst_heading_anchors = 4  # headings can be linked as on other sites that show Markdown
suppress_warnings = ["misc.highlighting_failure"]

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
add_module_names = False

html_theme = "furo"
html_title = "Ropewalk"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_copyright = False
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {"navigation_with_keys": True, "top_of_page_buttons": []}
