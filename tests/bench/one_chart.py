"""The yardstick: the smallest Streamlit app with a slider and a chart."""

import altair as alt
import pandas as pd
import streamlit as st

power = st.select_slider("Power", [1, 2, 3, 4, 5, 6])
table = pd.DataFrame({"x": range(20), "y": [x**power for x in range(20)]})
st.altair_chart(alt.Chart(table).mark_line().encode(x="x", y="y"))
