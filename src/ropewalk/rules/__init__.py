"""The rules in compiled kernels: one module a game, one set of questions that all of them answer."""
