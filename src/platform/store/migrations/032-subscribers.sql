-- Addresses of people without an account who asked for news by mail.
CREATE TABLE subscribers (
  address_hash TEXT NOT NULL, -- as in opt_outs
  about TEXT NOT NULL, -- the slug whose publication they wait for; '' is all news of the stall
  address TEXT NOT NULL,
  page TEXT NOT NULL, -- the path on which they asked
  language TEXT NOT NULL, -- of that page
  asked INTEGER NOT NULL,
  confirmed INTEGER, -- by the link that was mailed to the address; NULL is not yet
  PRIMARY KEY (address_hash, about)
) STRICT, WITHOUT ROWID;
CREATE INDEX subscribers_by_about ON subscribers (about, confirmed);
CREATE INDEX subscribers_unconfirmed ON subscribers (asked) WHERE confirmed IS NULL;

-- When confirmation mails were sent. These rows outlive an address that was forgotten, so that it is not mailed more often.
CREATE TABLE confirmations (
  address_hash TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX confirmations_by_address ON confirmations (address_hash, at);
CREATE INDEX confirmations_by_time ON confirmations (at);
CREATE INDEX outbox_confirmations ON outbox (created_at) WHERE kind = 'subscribe' AND address <> '';

-- A link may also confirm an address for news.
CREATE TABLE new_links (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  purpose TEXT NOT NULL CHECK (purpose IN ('setup', 'invite', 'reset', 'claim', 'open', 'unsubscribe', 'email', 'news')),
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
