-- The paths of the files that an edition added, changed and removed, as JSON; null for a first one, and before this migration.
ALTER TABLE editions ADD COLUMN changed_files TEXT;
