-- What the owner announced of an item. Its mails are the rows of the outbox with this subject.
CREATE TABLE announcements (
  subject TEXT PRIMARY KEY, -- edition: and a digest, or text: and a hash of what the owner wrote
  kind TEXT NOT NULL CHECK (kind IN ('book', 'skill')),
  item_key TEXT NOT NULL,
  title TEXT, -- the mail's subject as the owner wrote it; NULL is that of new versions
  text TEXT NOT NULL,
  left_out INTEGER NOT NULL, -- how many had ended such mails
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX announcements_by_item ON announcements (kind, item_key, at);

-- Addresses that get no news: the SHA-256 of the form in which addresses are compared. They stay when a person is erased.
CREATE TABLE opt_outs (
  address_hash TEXT PRIMARY KEY,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- News goes out behind all other mail.
DROP INDEX outbox_due;
CREATE INDEX outbox_due ON outbox (kind = 'news', next_at) WHERE state = 'queued';
CREATE INDEX outbox_news ON outbox (subject, state) WHERE kind = 'news';
