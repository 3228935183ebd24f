"""Questions: what is asked, judged and priced before it meets data, then paid and answered."""
