"""Tools of any bank: customers, holdings, calendar, casework, history, identity and watch lists."""
