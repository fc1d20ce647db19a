"""Ropewalk for other programs: an engine that speaks UGI, and an analysis protocol in lines of JSON."""
