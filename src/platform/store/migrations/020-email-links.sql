-- A link may also change the address of its account: then `address` is the new one, to which it was sent.
CREATE TABLE new_links (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  purpose TEXT NOT NULL CHECK (purpose IN ('setup', 'invite', 'reset', 'claim', 'open', 'unsubscribe', 'email')),
  account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,
  order_id INTEGER REFERENCES orders (id) ON DELETE CASCADE,
  address TEXT, -- to which it was sent, if that is not the account's
  outbox_id INTEGER REFERENCES outbox (id) ON DELETE SET NULL,
  secret_hash BLOB NOT NULL UNIQUE CHECK (length(secret_hash) = 32),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;
INSERT INTO new_links SELECT id, purpose, account_id, order_id, address, outbox_id, secret_hash, created_at, expires_at, used_at
  FROM links;
DROP TABLE links;
ALTER TABLE new_links RENAME TO links;
CREATE INDEX links_by_account ON links (account_id);
CREATE INDEX links_by_order ON links (order_id);
CREATE INDEX links_by_outbox ON links (outbox_id);
