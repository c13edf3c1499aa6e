-- Whether the owner lets an account add and edit the items that the office keeps.
ALTER TABLE accounts ADD COLUMN is_editor INTEGER NOT NULL DEFAULT 0;
