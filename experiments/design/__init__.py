"""What a study says, from its file or a script, and what that amounts to before anything is paid for."""
