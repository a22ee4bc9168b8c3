"""Tools of any bank: customers, accounts, calendar, casework, history, identity and watch lists."""
