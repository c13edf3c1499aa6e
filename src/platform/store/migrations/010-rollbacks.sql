-- The keys of item.yaml that belong to an edition's files, as JSON; null for an edition last served before this migration.
ALTER TABLE editions ADD COLUMN manifest TEXT;
CREATE INDEX withdrawn_editions ON editions (kind, item_key) WHERE state = 'withdrawn';
-- Items that serve a kept edition instead of the one of their folder, until that one changes.
CREATE TABLE rollbacks (
  kind TEXT NOT NULL CHECK (kind IN ('book', 'skill')),
  item_key TEXT NOT NULL,
  digest TEXT NOT NULL,
  own_digest TEXT, -- of the folder; null until the rollback is first served
  at INTEGER NOT NULL,
  PRIMARY KEY (kind, item_key)
) STRICT;
