-- How the act was done: page, command or signal. Every earlier row was written by a page.
ALTER TABLE audit_log ADD COLUMN via TEXT NOT NULL DEFAULT 'page';
