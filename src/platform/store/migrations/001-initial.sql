-- Times are milliseconds since 1970 UTC. Append-only: a change is a new file.
CREATE TABLE accounts (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL UNIQUE COLLATE NOCASE,
  is_owner INTEGER NOT NULL DEFAULT 0 CHECK (is_owner IN (0, 1)),
  password_hash TEXT,
  created_at INTEGER NOT NULL,
  disabled_at INTEGER
) STRICT;
CREATE UNIQUE INDEX one_owner ON accounts (is_owner) WHERE is_owner = 1;

CREATE TABLE keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
  prefix TEXT NOT NULL,
  name TEXT NOT NULL,
  scope TEXT, -- JSON; NULL is everything the account may do
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  expires_at INTEGER,
  revoked_at INTEGER,
  replaces INTEGER REFERENCES keys (id)
) STRICT;
CREATE INDEX keys_by_account ON keys (account_id);

-- Every item that was ever published from this data directory: what a grant may name.
CREATE TABLE known_items (
  kind TEXT NOT NULL CHECK (kind IN ('book', 'skill')),
  item_key TEXT NOT NULL, -- a book's id, a skill's slug
  slug TEXT NOT NULL,
  published_at INTEGER NOT NULL,
  PRIMARY KEY (kind, item_key)
) STRICT;
CREATE INDEX known_items_by_slug ON known_items (slug);

CREATE TABLE grants (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  item_key TEXT NOT NULL,
  source TEXT NOT NULL,
  granted_at INTEGER NOT NULL,
  starts_at INTEGER NOT NULL,
  ends_at INTEGER CHECK (ends_at > starts_at),
  revoked_at INTEGER,
  UNIQUE (account_id, kind, item_key, source),
  FOREIGN KEY (kind, item_key) REFERENCES known_items (kind, item_key)
) STRICT;

CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  secret_hash BLOB NOT NULL CHECK (length(secret_hash) = 32),
  scope TEXT,
  user_agent TEXT,
  created_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;
CREATE INDEX sessions_by_account ON sessions (account_id);

-- One-time links; an owner's first set-up has no account yet.
CREATE TABLE links (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  purpose TEXT NOT NULL CHECK (purpose IN ('setup', 'invite', 'reset')),
  account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,
  secret_hash BLOB NOT NULL UNIQUE CHECK (length(secret_hash) = 32),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;

-- One row for each start of the server. An unfinished row of `fetch_logs` is running if the present start wrote it, else
-- interrupted.
CREATE TABLE server_starts (
  id TEXT PRIMARY KEY,
  version TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  stopped_at INTEGER
) STRICT;

CREATE TABLE fetch_logs (
  id TEXT PRIMARY KEY,
  server_start_id TEXT NOT NULL REFERENCES server_starts (id),
  account_id TEXT NOT NULL,
  key_id INTEGER NOT NULL,
  book_id TEXT NOT NULL,
  asked_at INTEGER NOT NULL,
  engine TEXT NOT NULL,
  outcome TEXT, -- NULL while the answer runs
  answer_bytes INTEGER NOT NULL DEFAULT 0,
  input_tokens INTEGER NOT NULL DEFAULT 0,
  output_tokens INTEGER NOT NULL DEFAULT 0,
  latency_ms INTEGER
) STRICT;
CREATE INDEX fetch_logs_by_account ON fetch_logs (account_id, asked_at);
CREATE INDEX fetch_logs_by_time ON fetch_logs (asked_at);

CREATE TABLE downloads (
  id TEXT NOT NULL, -- the fetchId of the install record, where there is one; no index: random ids would touch a page each
  account_id TEXT,
  key_id INTEGER,
  kind TEXT NOT NULL,
  item_key TEXT NOT NULL,
  slug TEXT NOT NULL,
  digest TEXT NOT NULL,
  door TEXT NOT NULL, -- install, zip, …
  bytes INTEGER NOT NULL,
  downloaded_at INTEGER NOT NULL
) STRICT;
CREATE INDEX downloads_by_account ON downloads (account_id, downloaded_at);
CREATE INDEX downloads_by_time ON downloads (downloaded_at);
