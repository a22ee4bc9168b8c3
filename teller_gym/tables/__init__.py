"""Tables of figures: `model` has the table, and each other module renders one format.

as_text(table), as_markdown(table), as_csv(table), as_latex(table), as_html(table)
"""
