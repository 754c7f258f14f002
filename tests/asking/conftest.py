"""Lets tests in the folders below import the modules of this one."""
