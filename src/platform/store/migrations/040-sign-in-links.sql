-- A link may also sign in, for the browser that asked for it; it shows any other browser a code to type there.
CREATE TABLE new_links (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  purpose TEXT NOT NULL CHECK (purpose IN
    ('setup', 'invite', 'reset', 'claim', 'open', 'unsubscribe', 'email', 'news', 'sign-in')),
  account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,
  order_id INTEGER REFERENCES orders (id) ON DELETE CASCADE,
  address TEXT, -- to which it was sent, if that is not the account's
  outbox_id INTEGER REFERENCES outbox (id) ON DELETE SET NULL,
  secret_hash BLOB NOT NULL UNIQUE CHECK (length(secret_hash) = 32),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER,
  asker_hash BLOB CHECK (length(asker_hash) = 32), -- of what the browser that asked to sign in keeps
  tries INTEGER NOT NULL DEFAULT 0 -- wrong codes of that browser
) STRICT;
INSERT INTO new_links
  SELECT id, purpose, account_id, order_id, address, outbox_id, secret_hash, created_at, expires_at, used_at, NULL, 0
  FROM links;
DROP TABLE links;
ALTER TABLE new_links RENAME TO links;
CREATE INDEX links_by_account ON links (account_id);
CREATE INDEX links_by_order ON links (order_id);
CREATE INDEX links_by_outbox ON links (outbox_id);
CREATE INDEX links_by_asker ON links (asker_hash) WHERE asker_hash IS NOT NULL;
