"""Foundation of the package: errors, money, dates, text, random draws; independent of banks, tools and cases."""
