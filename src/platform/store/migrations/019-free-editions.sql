-- Whether an edition was ever served free. Of those from before this migration nobody knows, and they count as sold.
ALTER TABLE editions ADD COLUMN was_free INTEGER NOT NULL DEFAULT 0 CHECK (was_free IN (0, 1));
