"""The full screen. Start reading at `app`; a screen draws what the session knows and asks what is asked."""
