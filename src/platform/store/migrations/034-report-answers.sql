-- What the owner answered to the sender of a report.
ALTER TABLE reports ADD COLUMN answer TEXT;
