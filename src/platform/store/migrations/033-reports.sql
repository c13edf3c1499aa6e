-- Mistakes that readers told the owner of: a copy of a note, or a question that a book does not cover, whose `exact` is ''.
CREATE TABLE reports (
  id TEXT PRIMARY KEY, -- UUID
  account_id TEXT REFERENCES accounts (id) ON DELETE SET NULL,
  note_id TEXT, -- '' is a question
  book_id TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'done', 'declined')),
  mended_in TEXT, -- digest of the edition in which its words were first missed
  edition TEXT NOT NULL, -- from here on as in notes
  path TEXT NOT NULL,
  start INTEGER NOT NULL,
  alike INTEGER NOT NULL,
  placed_in TEXT NOT NULL,
  placed_path TEXT NOT NULL,
  placed_start INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL, -- when its state was set
  exact TEXT NOT NULL,
  prefix TEXT NOT NULL,
  suffix TEXT NOT NULL,
  text TEXT -- the note's comment, or the question
) STRICT;
CREATE INDEX reports_by_account ON reports (account_id, state);
CREATE INDEX reports_by_state ON reports (state, created_at);
