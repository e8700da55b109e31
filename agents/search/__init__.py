"""Search: `pimc` over imagined deals, and exact play with open cards."""
