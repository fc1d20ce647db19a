"""Scenes of the board kinds: flat boards, the cube, the cylinder."""
