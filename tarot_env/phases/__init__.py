"""The phases of a deal; each is two functions over rows, what is legal and what an action does."""
