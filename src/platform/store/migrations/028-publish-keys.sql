-- Keys that open /api/publish and nothing else: they publish, and read no item.
CREATE TABLE publish_keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
  prefix TEXT NOT NULL,
  name TEXT NOT NULL,
  slugs TEXT, -- JSON, ["field-notes", "acme-*", …]; NULL is every slug
  sets_terms INTEGER NOT NULL CHECK (sets_terms IN (0, 1)), -- whether it also sets prices and publishes drafts
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  expires_at INTEGER,
  revoked_at INTEGER
) STRICT;
CREATE INDEX publish_keys_by_account ON publish_keys (account_id);
