-- Assistants that a reader let read and ask (OAuth): one row a consent, and the tokens that it made.
CREATE TABLE connections (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  client_id TEXT NOT NULL,
  name TEXT NOT NULL, -- the assistant's, as it says
  host TEXT NOT NULL, -- where the consent led
  asks INTEGER NOT NULL,
  notes INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  ended_at INTEGER,
  ended_by TEXT -- reader, owner, client, reuse, password
) STRICT;
CREATE INDEX connections_by_account ON connections (account_id);

CREATE TABLE connection_tokens (
  hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
  connection_id TEXT NOT NULL REFERENCES connections (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('code', 'access', 'refresh')),
  expires_at INTEGER NOT NULL,
  redirect TEXT, -- of a code: what its exchange must repeat
  challenge TEXT,
  resource TEXT,
  former BLOB, -- the refresh token that this one, or the access token's, replaces
  superseded_at INTEGER -- of a code: when it was used; of a refresh token: when its successor was
) STRICT, WITHOUT ROWID;
CREATE INDEX connection_tokens_by_connection ON connection_tokens (connection_id);
