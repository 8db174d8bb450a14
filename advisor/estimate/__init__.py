"""The engine: pure, vectorised arithmetic on facts. No I/O, no Streamlit."""
