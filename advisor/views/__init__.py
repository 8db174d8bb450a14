"""What draws: the only folder that imports streamlit and altair."""
