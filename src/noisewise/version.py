"""The version of the library, which every receipt states, and the place of the glossary."""

__version__ = "0.2.0.dev0"
GLOSSARY = "docs/glossary.md in the source of noisewise"
