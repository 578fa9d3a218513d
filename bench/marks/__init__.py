"""Measures what this project promises about speed and memory; bench/run.py is the way in."""
