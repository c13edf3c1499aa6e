-- Where each account last read in each item it holds, so that the library can lead on. An account that wants it forgotten
-- has no rows, and gets none.
CREATE TABLE reading_places (
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  item_key TEXT NOT NULL,
  path TEXT NOT NULL,
  read_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, kind, item_key)
) STRICT, WITHOUT ROWID;
ALTER TABLE accounts ADD COLUMN keeps_places INTEGER NOT NULL DEFAULT 1 CHECK (keeps_places IN (0, 1));
