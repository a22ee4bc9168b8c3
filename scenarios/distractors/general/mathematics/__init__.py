"""Mathematics."""
