-- An account is verified if the owner added it, or if a link that was sent to its address was used.
ALTER TABLE accounts ADD COLUMN verified_at INTEGER;
ALTER TABLE accounts ADD COLUMN news_since INTEGER; -- when its holder asked for news by mail; NULL is never
UPDATE accounts SET verified_at = created_at;

-- One delivery of a provider, one answer of its API, or one act of the owner.
CREATE TABLE sale_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  provider TEXT NOT NULL, -- stripe, polar, lemonsqueezy, gumroad, hand
  mode TEXT NOT NULL CHECK (mode IN ('live', 'test')),
  event_id TEXT NOT NULL, -- the provider's or a hash of the body; after erasing, sha256: and its SHA-256
  origin TEXT NOT NULL CHECK (origin IN ('webhook', 'api', 'owner', 'buyer', 'csv')),
  type TEXT NOT NULL,
  at INTEGER NOT NULL, -- the provider's time
  received_at INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('folded', 'ignored', 'failed', 'waiting')),
  reason TEXT, -- why it is not folded
  tries INTEGER NOT NULL DEFAULT 0,
  next_at INTEGER, -- when a waiting one asks the API again
  body BLOB, -- gzipped; NULL after its term
  UNIQUE (provider, mode, event_id)
) STRICT;
CREATE INDEX sale_events_by_state ON sale_events (state, next_at) WHERE state IN ('failed', 'waiting');
CREATE INDEX sale_events_by_time ON sale_events (received_at) WHERE body IS NOT NULL;
CREATE INDEX sale_events_by_provider ON sale_events (provider, received_at);

-- What events say in our words. Facts that share a key are one chain, and a chain with a buyer is one order.
CREATE TABLE sale_facts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  event INTEGER NOT NULL REFERENCES sale_events (id) ON DELETE CASCADE,
  chain INTEGER NOT NULL,
  at INTEGER NOT NULL,
  fact TEXT NOT NULL -- JSON, a Fact of src/sales/fact.ts
) STRICT;
CREATE INDEX sale_facts_by_chain ON sale_facts (chain);
CREATE INDEX sale_facts_by_event ON sale_facts (event);

-- The provider's ids of a chain, as cs_… or order:123; after erasing, sha256: and their SHA-256.
CREATE TABLE sale_keys (
  provider TEXT NOT NULL,
  key TEXT NOT NULL,
  chain INTEGER NOT NULL,
  PRIMARY KEY (provider, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX sale_keys_by_chain ON sale_keys (chain);

-- What is for sale, as the last publish read it: the ids that items and bundles name, and those of notOurs without items.
CREATE TABLE sale_offers (
  provider TEXT NOT NULL, -- '' for notOurs
  product TEXT NOT NULL,
  offer TEXT NOT NULL, -- JSON, an Offer of src/sales/offer.ts
  PRIMARY KEY (provider, product)
) STRICT, WITHOUT ROWID;

-- The settings with which the server computes orders, so that commands do the same: grace in milliseconds, whether mail is
-- sent or left to the owner, and whether the owner is told of sales.
CREATE TABLE sale_settings (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  grace INTEGER NOT NULL,
  mail TEXT NOT NULL CHECK (mail IN ('queued', 'manual')),
  tells_sales INTEGER NOT NULL CHECK (tells_sales IN (0, 1))
) STRICT;
INSERT INTO sale_settings VALUES (1, 3 * 24 * 60 * 60 * 1000, 'manual', 0);

-- One purchase or subscription, as computed from the facts of its chain.
CREATE TABLE orders (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  chain INTEGER NOT NULL UNIQUE,
  provider TEXT NOT NULL,
  provider_ref TEXT NOT NULL,
  ref TEXT NOT NULL, -- the short reference that people see
  state TEXT NOT NULL CHECK (state IN ('unmatched', 'held', 'pending', 'failed', 'paid', 'disputed', 'lost', 'refunded', 'ended')),
  at INTEGER NOT NULL, -- the buyer's first fact
  email TEXT, -- as the provider sent it; NULL after erasing
  email_key TEXT, -- as addresses are compared
  account_id TEXT REFERENCES accounts (id) ON DELETE SET NULL,
  attached_by TEXT, -- address, owner, return, mail
  claimed_at INTEGER,
  bundle TEXT, -- the slug of the bundle that was bought
  products TEXT NOT NULL, -- JSON, the provider's ids that were paid for
  quantity INTEGER NOT NULL,
  amount INTEGER NOT NULL, -- of paid payments, in minor units
  tax INTEGER NOT NULL,
  refunded INTEGER NOT NULL,
  currency TEXT,
  paid_at INTEGER,
  is_subscription INTEGER NOT NULL CHECK (is_subscription IN (0, 1)),
  until INTEGER, -- the end of what was paid, with grace; NULL is for good
  attention TEXT, -- a sentence for the owner
  erased_at INTEGER
) STRICT;
CREATE INDEX orders_by_time ON orders (at);
CREATE INDEX orders_by_state ON orders (state, at);
CREATE INDEX orders_by_email ON orders (email_key);
CREATE INDEX orders_by_account ON orders (account_id);
CREATE INDEX orders_by_ref ON orders (ref);
CREATE INDEX orders_by_provider_ref ON orders (provider, provider_ref);
CREATE INDEX orders_with_attention ON orders (at) WHERE attention IS NOT NULL;

-- Finds the grants of a sale or a code by their source, as sale:17.
CREATE INDEX grants_by_origin ON grants (source) WHERE source GLOB '*:*';

CREATE TABLE order_items (
  order_id INTEGER NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('book', 'skill')),
  item_key TEXT NOT NULL,
  slug TEXT NOT NULL, -- as the mapping named it
  product TEXT NOT NULL, -- the id that meant it
  is_kept INTEGER NOT NULL CHECK (is_kept IN (0, 1)), -- 1 from the first payment on, whatever the mapping says later
  PRIMARY KEY (order_id, kind, item_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX order_items_by_item ON order_items (kind, item_key);

-- The paid payments of an order, as computed with the order: what sales over time add up.
CREATE TABLE order_payments (
  order_id INTEGER NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  tax INTEGER NOT NULL,
  refunded INTEGER NOT NULL,
  refunded_at INTEGER,
  currency TEXT NOT NULL
) STRICT;
CREATE INDEX order_payments_by_order ON order_payments (order_id);
CREATE INDEX order_payments_by_time ON order_payments (at);
CREATE INDEX order_payments_given_back ON order_payments (refunded_at) WHERE refunded_at IS NOT NULL;

-- Codes that open items once. Grants by one have the source code:<id>.
CREATE TABLE codes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
  prefix TEXT NOT NULL, -- for people to recognise it
  name TEXT NOT NULL, -- the slug of the item or bundle
  is_bundle INTEGER NOT NULL CHECK (is_bundle IN (0, 1)),
  items TEXT NOT NULL, -- JSON, [{"kind", "itemKey", "slug"}, …] as they were when it was made
  order_id INTEGER REFERENCES orders (id) ON DELETE SET NULL, -- whose present or further copy it is
  note TEXT NOT NULL DEFAULT '',
  uses INTEGER NOT NULL CHECK (uses > 0),
  until INTEGER,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT;
CREATE INDEX codes_by_order ON codes (order_id);
CREATE TABLE code_uses (
  code_id INTEGER NOT NULL REFERENCES codes (id) ON DELETE CASCADE,
  account_id TEXT REFERENCES accounts (id) ON DELETE SET NULL, -- NULL once it was removed: the use stays used
  at INTEGER NOT NULL,
  UNIQUE (code_id, account_id)
) STRICT;
CREATE INDEX code_uses_by_account ON code_uses (account_id);

-- Mail to be sent. No secret: a link is minted when its mail is sent.
CREATE TABLE outbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL, -- claim, library, ended, invite, reset, open, news, attention, sale
  subject TEXT NOT NULL, -- what it is about, as order:17: one mail of a kind about it to an address
  address TEXT NOT NULL, -- one checked address; '' after erasing
  order_id INTEGER REFERENCES orders (id) ON DELETE SET NULL,
  account_id TEXT REFERENCES accounts (id) ON DELETE SET NULL,
  details TEXT NOT NULL DEFAULT '{}', -- a flat JSON object for its text
  state TEXT NOT NULL CHECK (state IN ('queued', 'manual', 'sent', 'failed', 'dropped')),
  message_id TEXT, -- one a row, set before its first try
  tries INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  next_at INTEGER, -- the next try of a queued one
  sent_at INTEGER,
  error TEXT -- of the last try
) STRICT;
CREATE UNIQUE INDEX outbox_once ON outbox (kind, subject, address) WHERE address <> '';
CREATE INDEX outbox_due ON outbox (next_at) WHERE state = 'queued';
CREATE INDEX outbox_by_state ON outbox (state, id);
CREATE INDEX outbox_by_order ON outbox (order_id);
CREATE INDEX outbox_by_account ON outbox (account_id);
CREATE INDEX outbox_by_address ON outbox (address);

-- Links that claim an order, make an account by an address, or end news; a mail's link names its row.
CREATE TABLE new_links (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  purpose TEXT NOT NULL CHECK (purpose IN ('setup', 'invite', 'reset', 'claim', 'open', 'unsubscribe')),
  account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,
  order_id INTEGER REFERENCES orders (id) ON DELETE CASCADE,
  address TEXT, -- to which it was sent, if that has no account
  outbox_id INTEGER REFERENCES outbox (id) ON DELETE SET NULL,
  secret_hash BLOB NOT NULL UNIQUE CHECK (length(secret_hash) = 32),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;
INSERT INTO new_links (id, purpose, account_id, secret_hash, created_at, expires_at, used_at)
  SELECT id, purpose, account_id, secret_hash, created_at, expires_at, used_at FROM links;
DROP TABLE links;
ALTER TABLE new_links RENAME TO links;
CREATE INDEX links_by_account ON links (account_id);
CREATE INDEX links_by_order ON links (order_id);
CREATE INDEX links_by_outbox ON links (outbox_id);
