"""Engine workers on other machines: they take jobs from servers over HTTP and run them in engine processes."""
