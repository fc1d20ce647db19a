"""Notifications of correspondence players whose turn it is: by Web Push, and by e-mail."""
