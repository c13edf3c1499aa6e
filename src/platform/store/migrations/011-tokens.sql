-- Install tokens. A table of their own: code that forgets their scope must not take one for a key.
CREATE TABLE tokens (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
  prefix TEXT NOT NULL,
  name TEXT NOT NULL,
  items TEXT, -- JSON, [{"kind", "itemKey"}, …]; NULL is every item
  reads INTEGER NOT NULL CHECK (reads IN (0, 1)), -- whether it also reads and asks
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  expires_at INTEGER,
  revoked_at INTEGER
) STRICT;
CREATE INDEX tokens_by_account ON tokens (account_id);
