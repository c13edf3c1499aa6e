-- How often each item's page was viewed, and how the questions to each book ended, on each day (whole days since 1970 UTC).
-- They name nobody, and outlive the rows of `fetch_logs`.
CREATE TABLE view_days (
  kind TEXT NOT NULL,
  item_key TEXT NOT NULL, -- a book's id, a skill's slug
  day INTEGER NOT NULL,
  views INTEGER NOT NULL,
  PRIMARY KEY (kind, item_key, day)
) STRICT, WITHOUT ROWID;
CREATE TABLE question_days (
  book_id TEXT NOT NULL,
  day INTEGER NOT NULL, -- on which they were asked
  outcome TEXT NOT NULL,
  questions INTEGER NOT NULL,
  PRIMARY KEY (book_id, day, outcome)
) STRICT, WITHOUT ROWID;
INSERT INTO question_days (book_id, day, outcome, questions)
  SELECT book_id, asked_at / 86400000 AS day, outcome, count(*) FROM fetch_logs WHERE outcome IS NOT NULL
  GROUP BY book_id, day, outcome;
-- The first lists an item's grants in pages, the second counts its holders.
CREATE INDEX grants_by_item ON grants (kind, item_key, granted_at);
CREATE INDEX holders_by_item ON grants (kind, item_key, account_id, starts_at, ends_at, revoked_at);
