"""The content of a study: read from a file or a script, resolved to objects, and checked before it is run."""
