"""The foundation of everything else: errors, money, dates, text, draws. Knows nothing of banks, tools or cases."""
