"""Policy-value nets: one architecture for all games and board sizes."""
