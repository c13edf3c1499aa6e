-- The second factor of the owner's sign-in (RFC 6238). The secret must be readable, since every code is made from it.
CREATE TABLE second_steps (
  account_id TEXT PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  secret TEXT NOT NULL, -- base32
  last_step INTEGER NOT NULL, -- that of the last code that counted: no code counts twice
  created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE recovery_codes (
  account_id TEXT NOT NULL REFERENCES second_steps (account_id) ON DELETE CASCADE,
  hash BLOB NOT NULL CHECK (length(hash) = 32),
  PRIMARY KEY (account_id, hash)
) STRICT;
-- Sign-ins whose password or link was right, and whose code is still missing.
CREATE TABLE pending_sign_ins (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES second_steps (account_id) ON DELETE CASCADE,
  secret_hash BLOB NOT NULL CHECK (length(secret_hash) = 32),
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX pending_sign_ins_by_account ON pending_sign_ins (account_id);
-- Network prefixes from which a right code came.
CREATE TABLE code_networks (
  account_id TEXT NOT NULL REFERENCES second_steps (account_id) ON DELETE CASCADE,
  network TEXT NOT NULL,
  first_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, network)
) STRICT;
-- The wrong codes of a day; `network` is '' for all codes of networks from which no right one came.
CREATE TABLE wrong_codes (
  account_id TEXT NOT NULL REFERENCES second_steps (account_id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('code', 'recovery')),
  network TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX wrong_codes_by_place ON wrong_codes (account_id, kind, network, at);
