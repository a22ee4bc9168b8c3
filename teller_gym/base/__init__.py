"""What everything else stands on: errors, money, dates, text, draws. Knows nothing of banks, tools or cases."""
