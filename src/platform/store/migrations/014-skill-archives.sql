-- Archives of skills that well-known indexes name by their SHA-256; they outlive their edition by a day.
CREATE TABLE skill_archives (
  name TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('book', 'skill')),
  item_key TEXT NOT NULL,
  digest TEXT NOT NULL, -- of the edition
  sha256 TEXT NOT NULL,
  artefact TEXT NOT NULL, -- JSON
  superseded_at INTEGER -- null while it is the item's own
) STRICT;
CREATE INDEX skill_archives_by_sha256 ON skill_archives (sha256);
