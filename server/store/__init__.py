"""Where the logs are kept: the interface (`base`) and its implementations."""
