-- What the owner set in the office: one row a setting, its value as JSON. A secret's value is encrypted.
CREATE TABLE settings (
  name TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL,
  set_at INTEGER NOT NULL,
  actor_id TEXT
) STRICT, WITHOUT ROWID;
