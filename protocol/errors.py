"""Every code that a refusal, a farewell or a closed connection can carry."""

from enum import IntEnum, StrEnum


class ErrorCode(StrEnum):
    """Why a command was refused. `docs/protocol.md` says of each what to do about it."""

    # The message itself.
    BAD_MESSAGE = "bad_message"
    HELLO_FIRST = "hello_first"
    WRONG_VERSION = "wrong_version"
    BAD_TOKEN = "bad_token"
    BAD_NAME = "bad_name"
    # How busy things are.
    TOO_FAST = "too_fast"
    TOO_MANY = "too_many"
    UNAVAILABLE = "unavailable"
    RESTARTING = "restarting"
    # Finding a race and a seat in it.
    NO_SUCH_RACE = "no_such_race"
    RACE_FULL = "race_full"
    RACE_STARTED = "race_started"
    RACE_OVER = "race_over"
    NAME_TAKEN = "name_taken"
    KICKED = "kicked"
    NOT_SEATED = "not_seated"
    ONE_SEAT = "one_seat"
    NO_WATCHING = "no_watching"
    # The order of a seat's commands.
    SUPERSEDED = "superseded"
    STALE_COMMAND = "stale_command"
    STALE_BOARD = "stale_board"
    # The life of a race.
    NOT_HOST = "not_host"
    NOT_LOBBY = "not_lobby"
    NOT_RUNNING = "not_running"
    NOT_OVER = "not_over"
    NO_SUCH_RACER = "no_such_racer"
    BAD_SETTINGS = "bad_settings"
    BAD_DEAL = "bad_deal"
    NO_SUCH_DAY = "no_such_day"
    NOT_TODAY = "not_today"
    DAILY_FIRST = "daily_first"
    CHAT_FULL = "chat_full"
    NO_ROBOT = "no_robot"
    # The board.
    NOT_RACING = "not_racing"
    TOO_MANY_ACTIONS = "too_many_actions"
    ILLEGAL_MOVE = "illegal_move"
    NOTHING_TO_UNDO = "nothing_to_undo"
    NOTHING_TO_REDO = "nothing_to_redo"
    NOT_IN_RULES = "not_in_rules"


class CloseCode(IntEnum):
    """Why the server closed the connection (RFC 6455 section 7.4, and ours from 4000)."""

    NORMAL = 1000
    UNSUPPORTED = 1003
    NOT_TEXT = 1007
    POLICY = 1008
    TOO_BIG = 1009
    INTERNAL = 1011
    RESTARTING = 1012
    SUPERSEDED = 4000
    RACE_LOST = 4001
