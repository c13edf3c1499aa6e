-- The e-books that were made, by the hash of an e-reader. Files of which that sees the same parts have the same.
CREATE TABLE ebooks (
  document TEXT NOT NULL,
  name TEXT NOT NULL, -- of the file, and of the map of its places
  item_key TEXT NOT NULL,
  digest TEXT NOT NULL,
  PRIMARY KEY (document, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX ebooks_by_item ON ebooks (item_key);
