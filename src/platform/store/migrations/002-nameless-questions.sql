-- The questions of an account that was removed stay, without its name: account_id and key_id may be NULL.
CREATE TABLE new_fetch_logs (
  id TEXT PRIMARY KEY,
  server_start_id TEXT NOT NULL REFERENCES server_starts (id),
  account_id TEXT,
  key_id INTEGER,
  book_id TEXT NOT NULL,
  asked_at INTEGER NOT NULL,
  engine TEXT NOT NULL,
  outcome TEXT, -- NULL while the answer runs
  answer_bytes INTEGER NOT NULL DEFAULT 0,
  input_tokens INTEGER NOT NULL DEFAULT 0,
  output_tokens INTEGER NOT NULL DEFAULT 0,
  latency_ms INTEGER
) STRICT;
INSERT INTO new_fetch_logs (rowid, id, server_start_id, account_id, key_id, book_id, asked_at, engine, outcome,
    answer_bytes, input_tokens, output_tokens, latency_ms)
  SELECT rowid, id, server_start_id, account_id, key_id, book_id, asked_at, engine, outcome,
    answer_bytes, input_tokens, output_tokens, latency_ms FROM fetch_logs;
DROP TABLE fetch_logs;
ALTER TABLE new_fetch_logs RENAME TO fetch_logs;
CREATE INDEX fetch_logs_by_account ON fetch_logs (account_id, asked_at);
CREATE INDEX fetch_logs_by_time ON fetch_logs (asked_at);
