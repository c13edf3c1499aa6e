-- The slugs that items had before, and no served item has now. `is_declared` says that item.yaml lists the slug; of the
-- others the store saw the book's folder renamed.
CREATE TABLE former_slugs (
  slug TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('book', 'skill')),
  item_key TEXT NOT NULL, -- a book's id, a skill's slug
  is_declared INTEGER NOT NULL CHECK (is_declared IN (0, 1))
) STRICT;
INSERT OR IGNORE INTO former_slugs (slug, kind, item_key, is_declared)
  SELECT editions.slug, 'book', item_key, 0 FROM editions JOIN known_items USING (kind, item_key)
  WHERE kind = 'book' AND editions.slug NOT IN (SELECT slug FROM known_items)
  ORDER BY first_served_at DESC;
