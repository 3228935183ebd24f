"""Pictures of what was released or is public, and HTML for notebooks and reports. Nothing here sees a record."""
