-- The language of an account's pages and mails, once its reader chose one; a BCP 47 tag.
ALTER TABLE accounts ADD COLUMN language TEXT;
-- The language of the page of its last sign-in: its mails are written in it until one is chosen.
ALTER TABLE accounts ADD COLUMN mail_language TEXT;
