"""What draws: with ``app.py`` the only code that imports streamlit and altair."""
