-- Words that readers marked in books, and their comments. They stay as they were marked; the `placed_` columns say where the
-- words are in the edition `placed_in`.
CREATE TABLE notes (
  id TEXT PRIMARY KEY, -- UUID
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  book_id TEXT NOT NULL,
  edition TEXT NOT NULL, -- digest of the edition it was made in
  path TEXT NOT NULL,
  start INTEGER NOT NULL, -- UTF-16 units
  alike INTEGER NOT NULL, -- letters around the words that stood around the same words elsewhere too; -1 if these did not
  placed_in TEXT NOT NULL, -- digest of the edition in which its place was looked for last
  placed_path TEXT NOT NULL,
  placed_start INTEGER, -- NULL if its words are not there
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  bytes INTEGER NOT NULL, -- of all its texts
  exact TEXT NOT NULL,
  prefix TEXT NOT NULL,
  suffix TEXT NOT NULL,
  text TEXT -- NULL is a highlight alone
) STRICT;
CREATE INDEX notes_by_place ON notes (account_id, book_id, placed_in, placed_path, bytes);
