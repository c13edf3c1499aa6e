-- Where a question was asked: through the API by a key, or on a page by a session, whose rows have no key.
ALTER TABLE fetch_logs ADD COLUMN door TEXT NOT NULL DEFAULT 'api';
