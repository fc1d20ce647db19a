"""Ropewalk as an engine for other programs: the UGI protocol, and a JSON analysis protocol."""
