-- The language of an account's pages and mails, once its reader chose one; a BCP 47 tag.
ALTER TABLE accounts ADD COLUMN language TEXT;
