-- When anyone could first see an item, and when the item that they see last changed: the dates of the feed.
CREATE TABLE shown_items (
  kind TEXT NOT NULL CHECK (kind IN ('book', 'skill')),
  item_key TEXT NOT NULL, -- a book's id, a skill's slug
  edition TEXT NOT NULL, -- digest and version
  first_shown_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  PRIMARY KEY (kind, item_key)
) STRICT;
