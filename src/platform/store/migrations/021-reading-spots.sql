-- Where in a text a reader is: the part of a long one, and the block at the top of the page with how much of it is above.
ALTER TABLE reading_places ADD COLUMN part INTEGER NOT NULL DEFAULT 1;
ALTER TABLE reading_places ADD COLUMN block REAL NOT NULL DEFAULT 0;
