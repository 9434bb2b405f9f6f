"""The Lua scripts: all that is ever asked of Redis. No rule of the game is in here; the events are bytes.

Each returns one bulk string (asyncio-redis cannot be trusted with more): a letter that says what it came to,
the token of the call, the time of Redis in microseconds, and the rest as `replies` reads it. Numbers are 8
bytes, the highest first. The token is the first argument of every call; `lane` gives it and looks for it.

A script checks everything before it writes anything, for Redis takes nothing back when a script fails
half-way. Each may be run twice: the second run changes nothing that the first has changed.
"""

import hashlib
from dataclasses import dataclass, field
from typing import Final


@dataclass(frozen=True, slots=True)
class Script:
    """A Lua script and the name by which Redis knows it once it was loaded."""

    name: str
    text: str
    sha: str = field(init=False)

    def __post_init__(self) -> None:
        sha = hashlib.sha1(self.text.encode(), usedforsecurity=False).hexdigest()
        object.__setattr__(self, "sha", sha)


# What the scripts share. A stream entry has one field, `e`: stamp (8 bytes), tag (8 bytes), data. The end of
# a log is its last number, stamp and tag (24 bytes), and one byte more if the log is packed.
_PRELUDE: Final = """
local function whole(n) return string.format('%.0f', n) end

local function now_us()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end

local function reply(kind, now, ...)
  return kind .. ARGV[1] .. struct.pack('>I8', now) .. table.concat({...})
end

local function end_of(ends, name)
  local found = redis.call('HGET', ends, name)
  if not found then return 0, 0, '', false end
  local seq, at, tag = struct.unpack('>I8I8c8', found)
  return seq, at, tag, #found > 24
end

-- A stream that has lost an event, or has one more than the end of its log says, is not to be gone on with.
local function check_whole(stream, seq)
  if redis.call('XLEN', stream) ~= seq then error('there are not as many events as the log says') end
end

-- The number of the first event, then each event with its length before it (4 bytes).
local function rows(stream, first, count)
  local found = redis.call('XRANGE', stream, whole(first), '+', 'COUNT', count)
  if #found == 0 then return '' end
  local parts = {struct.pack('>I8', tonumber(string.match(found[1][1], '^%d+')))}
  for i = 1, #found do
    local event = found[i][2][2]
    parts[i + 1] = struct.pack('>I4', #event) .. event
  end
  return table.concat(parts)
end

-- The other way: put events as `rows` gives them into a stream.
local function fill(stream, events)
  local number, place = struct.unpack('>I8', events)
  while place <= #events do
    local size = struct.unpack('>I4', events, place)
    redis.call('XADD', stream, whole(number) .. '-0', 'e', string.sub(events, place + 4, place + 3 + size))
    number, place = number + 1, place + 4 + size
  end
end

-- A log without a deadline is packed when it has been quiet for some time. One that had a deadline and is
-- done with it is finished, and goes some day if the operator says so.
local function rest(keys, name, stamp, wake, retire_ms, keep_ms)
  if wake == 'keep' and redis.call('ZSCORE', keys[3], name) then return end
  redis.call('ZADD', keys[4], whole(stamp + tonumber(retire_ms)), name)
  if keep_ms == '' then return end
  local known = redis.call('ZSCORE', keys[7], name)
  if wake == 'clear' or known then redis.call('ZADD', keys[7], whole(stamp + tonumber(keep_ms)), name) end
end

local function holds(stream, seq, tag)
  if seq == 0 then return tag == '' end
  local found = redis.call('XRANGE', stream, whole(seq), whole(seq))
  return found[1] ~= nil and string.sub(found[1][2][2], 9, 16) == tag
end

"""


def _script(name: str, text: str) -> Script:
    return Script(name, _PRELUDE + text)


# Keys of a log, here and below: stream, ends, due, retire, packed, names, forget, unprojected.
APPEND: Final = _script(
    "append",
    """
local name, after_seq, after_tag, tag = ARGV[2], tonumber(ARGV[3]), ARGV[4], ARGV[5]
local not_before, not_after, wake = ARGV[6], ARGV[7], ARGV[8]
local retire_ms, keep_ms, page, channel, marked, first = ARGV[9], ARGV[10], ARGV[11], ARGV[12], ARGV[13], 14

local now = now_us()
local seq, at, end_tag, packed = end_of(KEYS[2], name)
if packed then return reply('Z', now, redis.call('GET', KEYS[5])) end
check_whole(KEYS[1], seq)
if after_seq ~= seq or after_tag ~= end_tag then
  if after_seq < seq and holds(KEYS[1], after_seq, after_tag) then
    return reply('C', now, rows(KEYS[1], after_seq + 1, page))
  end
  return reply('D', now)
end

local stamp = math.max(math.floor(now / 1000), at)
local stamped = struct.pack('>I8', stamp)
if not_before ~= '' and stamp < tonumber(not_before) then return reply('E', now, stamped) end
if not_after ~= '' and stamp > tonumber(not_after) then return reply('L', now, stamped) end

local parts = {struct.pack('>I8c8I8', seq, after_tag .. string.rep('\\0', 8 - #after_tag), seq + 1)}
for i = first, #ARGV do
  local event = stamped .. tag .. ARGV[i]
  seq = seq + 1
  redis.call('XADD', KEYS[1], whole(seq) .. '-0', 'e', event)
  parts[#parts + 1] = struct.pack('>I4', #event) .. event
end
redis.call('HSET', KEYS[2], name, struct.pack('>I8', seq) .. stamped .. tag)
if after_seq == 0 then redis.call('ZADD', KEYS[6], 0, name) end
if marked == '1' then redis.call('ZADD', KEYS[8], whole(stamp), name) end

if tonumber(wake) then
  redis.call('ZADD', KEYS[3], whole(stamp + tonumber(wake)), name)
  redis.call('ZREM', KEYS[4], name)
  redis.call('ZREM', KEYS[7], name)
else
  if wake == 'clear' then redis.call('ZREM', KEYS[3], name) end
  rest(KEYS, name, stamp, wake, retire_ms, keep_ms)
end
-- Only a wake-up, so that it cannot be sent must not undo the rest.
redis.pcall('PUBLISH', channel, table.concat(parts))
return reply('A', now, struct.pack('>I8', after_seq + 1), stamped)
""",
)

READ: Final = _script(
    "read",
    """
local now = now_us()
local seq, at, tag, packed = end_of(KEYS[2], ARGV[2])
if packed then return reply('Z', now, redis.call('GET', KEYS[5])) end
check_whole(KEYS[1], seq)
return reply('R', now, rows(KEYS[1], tonumber(ARGV[3]) + 1, ARGV[4]))
""",
)

IS_NEWEST: Final = _script(
    "is_newest",
    """
local seq, at, tag = end_of(KEYS[2], ARGV[2])
return reply((seq == tonumber(ARGV[3]) and tag == ARGV[4]) and 'N' or 'O', now_us())
""",
)

# What a watcher who knows the log up to a tip has missed; if the log does not hold that, its last event.
FOLLOW: Final = _script(
    "follow",
    """
local now, after_seq, after_tag = now_us(), tonumber(ARGV[3]), ARGV[4]
local seq, at, tag, packed = end_of(KEYS[2], ARGV[2])
if after_seq == seq and after_tag == tag then return reply('N', now) end
if packed then return reply('Z', now, redis.call('GET', KEYS[5])) end
check_whole(KEYS[1], seq)
if after_seq < seq and holds(KEYS[1], after_seq, after_tag) then
  return reply('C', now, rows(KEYS[1], after_seq + 1, ARGV[5]))
end
return reply('D', now, rows(KEYS[1], math.max(seq, 1), 1))
""",
)

# The keys are sorted sets of names by time, of one partition or, where all live together, of all. One that is
# something else is told of by a name that begins with a space, and does not hide what the others hold.
DUE: Final = _script(
    "due",
    """
local parts = {}
for i = 1, #KEYS do
  local found = redis.pcall('ZRANGEBYSCORE', KEYS[i], '-inf', ARGV[2], 'WITHSCORES', 'LIMIT', 0, ARGV[3])
  if found.err then
    if string.sub(found.err, 1, 9) ~= 'WRONGTYPE' then return found end
    found = {' ' .. KEYS[i], '0'}
  end
  for j = 1, #found, 2 do
    parts[#parts + 1] = struct.pack('>I8I4', tonumber(found[j + 1]), #found[j]) .. found[j]
  end
end
return reply('Q', now_us(), table.concat(parts))
""",
)

# Key: the names of a partition. Names have no spaces in them.
NAMES: Final = _script(
    "names",
    """
local found = redis.call('ZRANGEBYLEX', KEYS[1], ARGV[2], ARGV[3], 'LIMIT', 0, ARGV[4])
return reply('M', now_us(), table.concat(found, ' '))
""",
)

# Put the packed form in place of the stream, if the log still ends where it was read.
PACK: Final = _script(
    "pack",
    """
local now, name, seq, tag = now_us(), ARGV[2], tonumber(ARGV[3]), ARGV[4]
local end_seq, at, end_tag, packed = end_of(KEYS[2], name)
if packed or seq ~= end_seq or tag ~= end_tag then return reply('O', now) end
redis.call('SET', KEYS[5], ARGV[5])
redis.call('UNLINK', KEYS[1])
redis.call('HSET', KEYS[2], name, struct.pack('>I8I8c8', end_seq, at, end_tag) .. 'z')
redis.call('ZREM', KEYS[4], name)
return reply('N', now)
""",
)

# The way back, for a log that is appended to after all. What was packed is known by the end it leads to.
UNPACK: Final = _script(
    "unpack",
    """
local now, name, seq, tag = now_us(), ARGV[2], tonumber(ARGV[3]), ARGV[4]
local end_seq, at, end_tag, packed = end_of(KEYS[2], name)
if not packed or seq ~= end_seq or tag ~= end_tag then return reply('O', now) end
fill(KEYS[1], ARGV[5])
redis.call('HSET', KEYS[2], name, struct.pack('>I8I8c8', end_seq, at, end_tag))
redis.call('UNLINK', KEYS[5])
redis.call('ZADD', KEYS[4], whole(now / 1000 + tonumber(ARGV[6])), name)
return reply('N', now)
""",
)

# A whole log from elsewhere, if there is none of that name. Who watches it is told to look for himself.
RESTORE: Final = _script(
    "restore",
    """
local now, name, seq, at, tag = now_us(), ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]
local due, retire_ms, keep_ms, channel, marked = ARGV[6], ARGV[7], ARGV[8], ARGV[9], ARGV[10]
if end_of(KEYS[2], name) > 0 then return reply('O', now) end
fill(KEYS[1], ARGV[11])
redis.call('HSET', KEYS[2], name, struct.pack('>I8I8c8', seq, at, tag))
redis.call('ZADD', KEYS[6], 0, name)
if marked == '1' then redis.call('ZADD', KEYS[8], whole(now / 1000), name) end
if tonumber(due) then
  redis.call('ZADD', KEYS[3], due, name)
else
  rest(KEYS, name, now / 1000, due, retire_ms, keep_ms)
end
redis.pcall('PUBLISH', channel, '')
return reply('N', now)
""",
)

# Take a finished log away for good, if its time has come and it is packed.
FORGET: Final = _script(
    "forget",
    """
local now, name = now_us(), ARGV[2]
local due = redis.call('ZSCORE', KEYS[7], name)
if not due or tonumber(due) > now / 1000 then return reply('O', now) end
local seq, at, tag, packed = end_of(KEYS[2], name)
if not packed then return reply('O', now) end
redis.call('ZREM', KEYS[7], name)
redis.call('HDEL', KEYS[2], name)
redis.call('UNLINK', KEYS[5])
redis.call('ZREM', KEYS[6], name)
return reply('N', now)
""",
)

PROJECTED: Final = _script("projected", "redis.call('ZREM', KEYS[8], ARGV[2]) return reply('N', now_us())")

# Keys of a table, here and below: scores, rows, tables. Whether the table has this very row in the end.
PUT_ROW: Final = _script(
    "put_row",
    """
local now, name, key, score, data = now_us(), ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local known = redis.call('ZSCORE', KEYS[1], key)
if known then
  local same = tonumber(known) == tonumber(score) and redis.call('HGET', KEYS[2], key) == data
  return reply(same and 'N' or 'O', now)
end
redis.call('HSET', KEYS[2], key, data)
redis.call('ZADD', KEYS[1], score, key)
redis.call('ZADD', KEYS[3], 0, name)
return reply('N', now)
""",
)

# Of each row the score (8 bytes), then key and data, each with its length before it (4 bytes). One whose data
# is gone has none.
RANGE_ROWS: Final = _script(
    "range_rows",
    """
local parts = {}
local found = redis.call('ZRANGE', KEYS[1], ARGV[3], ARGV[4], 'WITHSCORES')
for i = 1, #found, 2 do
  local data = redis.call('HGET', KEYS[2], found[i]) or ''
  parts[#parts + 1] = struct.pack('>I8I4', tonumber(found[i + 1]), #found[i]) .. found[i]
    .. struct.pack('>I4', #data) .. data
end
return reply('R', now_us(), table.concat(parts))
""",
)

GET_ROW: Final = _script(
    "get_row",
    """
local now, key = now_us(), ARGV[3]
local score = redis.call('ZSCORE', KEYS[1], key)
if not score then return reply('R', now) end
local data = redis.call('HGET', KEYS[2], key) or ''
return reply('R', now, struct.pack('>I8I4', tonumber(score), #key), key, struct.pack('>I4', #data), data)
""",
)

RANK: Final = _script(
    "rank", "return reply('R', now_us(), struct.pack('>I8', redis.call('ZCOUNT', KEYS[1], '-inf', ARGV[3])))"
)

SIZE: Final = _script("size", "return reply('R', now_us(), struct.pack('>I8', redis.call('ZCARD', KEYS[1])))")

# A node calls to itself on a channel of its own.
CALL: Final = _script("call", "redis.call('PUBLISH', ARGV[2], ARGV[3]) return reply('N', now_us())")

# Key: the probe of a partition. Argument: a channel of a log.
PROBE: Final = _script(
    "probe", "redis.call('SET', KEYS[1], '1') redis.call('PUBLISH', ARGV[2], '') return reply('N', now_us())"
)

# Key: one that is there, so that a node of a cluster that is not ready says so.
INFO: Final = _script("info", "return reply('I', now_us(), redis.call('INFO'))")

ALL: Final = (
    APPEND,
    READ,
    IS_NEWEST,
    FOLLOW,
    DUE,
    NAMES,
    PACK,
    UNPACK,
    RESTORE,
    FORGET,
    PROJECTED,
    PUT_ROW,
    RANGE_ROWS,
    GET_ROW,
    RANK,
    SIZE,
    CALL,
    PROBE,
    INFO,
)
