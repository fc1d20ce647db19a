"""The commands of `ropewalk`. Heavy libraries load with the command that needs them."""
