-- Every edition that was ever served: one compiled state of an item's files, named by its digest.
CREATE TABLE editions (
  kind TEXT NOT NULL CHECK (kind IN ('book', 'skill')),
  item_key TEXT NOT NULL, -- a book's id, a skill's slug
  digest TEXT NOT NULL,
  slug TEXT NOT NULL, -- the folder in its archive
  version TEXT,
  first_served_at INTEGER NOT NULL,
  size INTEGER NOT NULL,
  added INTEGER NOT NULL, -- files against the edition before it
  changed INTEGER NOT NULL,
  removed INTEGER NOT NULL,
  notes TEXT,
  state TEXT NOT NULL CHECK (state IN ('served', 'kept', 'gone', 'withdrawn')),
  tar TEXT NOT NULL, -- the tar body's artefact as JSON
  tar_size INTEGER NOT NULL,
  PRIMARY KEY (kind, item_key, digest)
) STRICT;
CREATE INDEX kept_editions ON editions (first_served_at) WHERE state = 'kept';
