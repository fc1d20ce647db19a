"""Bots: players behind one interface, from random moves to net-guided search, proofs and external UGI engines."""
