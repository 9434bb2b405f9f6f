"""What a command's loop takes in, in the order in which it comes: what the server says, and what is typed."""

import asyncio

from client_cli.connection import News
from client_cli.terminal import Input

Inbox = asyncio.Queue[News | Input]
