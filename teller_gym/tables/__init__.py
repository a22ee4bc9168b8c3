"""Tables of results: `model` defines the table, and each other module renders one format.

as_text(table), as_markdown(table), as_csv(table), as_latex(table), as_html(table)
"""
