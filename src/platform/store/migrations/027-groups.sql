-- Groups of accounts that the owner names. `everyone` is all enabled accounts and has no members of its own.
CREATE TABLE groups (
  name TEXT PRIMARY KEY,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO groups VALUES ('everyone', 0);

CREATE TABLE group_members (
  id INTEGER PRIMARY KEY,
  group_name TEXT NOT NULL REFERENCES groups (name) ON DELETE CASCADE,
  account_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  joined_at INTEGER NOT NULL,
  UNIQUE (group_name, account_id)
) STRICT;
CREATE INDEX groups_by_account ON group_members (account_id);

CREATE TABLE group_grants (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  group_name TEXT NOT NULL REFERENCES groups (name) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  item_key TEXT NOT NULL,
  granted_at INTEGER NOT NULL,
  starts_at INTEGER NOT NULL,
  ends_at INTEGER CHECK (ends_at > starts_at),
  UNIQUE (group_name, kind, item_key),
  FOREIGN KEY (kind, item_key) REFERENCES known_items (kind, item_key)
) STRICT;
CREATE INDEX group_grants_by_item ON group_grants (kind, item_key);

-- Finds the disabled accounts. They are few, so leaving them out costs little.
CREATE INDEX disabled_accounts ON accounts (id) WHERE disabled_at IS NOT NULL;

-- All grants of accounts, their own and those of their groups; every read of grants goes through this view. An account counts
-- as one of `everyone` once its address is verified, or if it has no password, since then the owner made it. The id of a
-- group's grant is below 0 and unique, so that lists can go on after a row. With equal types SQLite reads all parts by index.
CREATE VIEW all_grants AS
SELECT id, account_id, kind, item_key, source, granted_at, starts_at, ends_at, revoked_at FROM grants
UNION ALL
SELECT CAST(-(group_grants.id * 67108864 + group_members.id) AS INTEGER), account_id, kind, item_key,
  CAST('@' || group_name AS TEXT), CAST(max(joined_at, granted_at) AS INTEGER), starts_at, ends_at, CAST(NULL AS INTEGER)
FROM group_grants JOIN group_members USING (group_name)
UNION ALL
SELECT CAST(-(group_grants.id * 67108864 + accounts.rowid) AS INTEGER), accounts.id, kind, item_key,
  CAST('@everyone' AS TEXT), CAST(max(created_at, granted_at) AS INTEGER), starts_at, ends_at, CAST(NULL AS INTEGER)
FROM group_grants JOIN accounts ON group_name = 'everyone' AND disabled_at IS NULL
  AND (verified_at IS NOT NULL OR password_hash IS NULL);
