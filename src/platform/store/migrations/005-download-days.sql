-- How often each item was handed out on each day (whole days since 1970 UTC). It names nobody, and outlives the rows of
-- `downloads`. An index of those by item would cost every download's write 40 % more; this is written once an item a batch.
CREATE TABLE download_days (
  kind TEXT NOT NULL,
  item_key TEXT NOT NULL,
  day INTEGER NOT NULL,
  downloads INTEGER NOT NULL,
  PRIMARY KEY (kind, item_key, day)
) STRICT, WITHOUT ROWID;
INSERT INTO download_days (kind, item_key, day, downloads)
  SELECT kind, item_key, downloaded_at / 86400000 AS day, count(*) FROM downloads GROUP BY kind, item_key, day;
