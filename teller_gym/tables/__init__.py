"""Result tables, which `model` defines and each of the other modules renders in one format.

as_text(table), as_markdown(table), as_csv(table), as_latex(table), as_html(table)
"""
