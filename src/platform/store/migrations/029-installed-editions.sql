-- When an edition was last installed, to a day: lock files name editions, which are kept for longer then. The log of
-- downloads has no index by item, and may be deleted earlier.
ALTER TABLE editions ADD COLUMN installed_at INTEGER;
UPDATE editions SET installed_at = found.at FROM (SELECT kind, item_key, digest, max(downloaded_at) AS at FROM downloads
  WHERE door = 'install' GROUP BY kind, item_key, digest) AS found
  WHERE editions.kind = found.kind AND editions.item_key = found.item_key AND editions.digest = found.digest;
