-- What the owner did through the site. The actor's columns are NULL once that account was removed; no secrets.
CREATE TABLE audit_log (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  actor_id TEXT,
  actor_email TEXT,
  action TEXT NOT NULL, -- account.disable, grant.add, …
  subject TEXT NOT NULL,
  details TEXT NOT NULL DEFAULT '{}' -- a flat JSON object
) STRICT;

CREATE INDEX links_by_account ON links (account_id);
