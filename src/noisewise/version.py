"""The version of the library, as every receipt names it, and where its words are explained."""

__version__ = "0.2.0.dev0"
GLOSSARY = "docs/glossary.md in the source of noisewise"
