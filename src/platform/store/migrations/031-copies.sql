-- The code that gives away an order's copies to others: one row, whose hash each new link replaces.
ALTER TABLE codes ADD COLUMN is_copies INTEGER NOT NULL DEFAULT 0 CHECK (is_copies IN (0, 1));
-- The last event before this migration: an order paid by then gets no such code.
ALTER TABLE sale_settings ADD COLUMN last_without_copies INTEGER NOT NULL DEFAULT 0;
UPDATE sale_settings SET last_without_copies = (SELECT coalesce(max(id), 0) FROM sale_events);
