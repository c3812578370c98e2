"""How well rankers find the equation that a question needs, and keep its look-alikes away."""
