-- Keys by which e-readers keep the place in their books, and the last place that each told in each of them.
CREATE TABLE device_keys (
  id INTEGER PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  prefix TEXT NOT NULL,
  hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32), -- of the MD5 that e-readers send
  device TEXT, -- as it called itself when it last told a place
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT;
CREATE INDEX device_keys_by_account ON device_keys (account_id);

CREATE TABLE device_places (
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  document TEXT NOT NULL, -- the e-reader's hash of the file
  progress TEXT NOT NULL,
  percentage REAL NOT NULL,
  device TEXT NOT NULL,
  device_id TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, document)
) STRICT, WITHOUT ROWID;

-- Hashes of the block's words and of those before it, by which the place is found in another edition.
ALTER TABLE reading_places ADD COLUMN marks TEXT NOT NULL DEFAULT '';
