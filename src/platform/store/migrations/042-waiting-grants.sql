-- A grant that the owner gave to an address waits until the address of its account is proven, if a visitor typed it: somebody else
-- may have. An order's own buyer, and who redeems a code, proved their right otherwise. Accounts that the owner made, as by an
-- import, wait for nothing. Before this migration they alone had neither a password nor a proof.
ALTER TABLE accounts ADD COLUMN is_typed INTEGER NOT NULL DEFAULT 0 CHECK (is_typed IN (0, 1));
UPDATE accounts SET is_typed = 1 WHERE verified_at IS NULL AND password_hash IS NOT NULL;

DROP VIEW all_grants;
CREATE VIEW all_grants AS
SELECT id, account_id, kind, item_key, source, granted_at, starts_at, ends_at, revoked_at,
  CAST(source NOT GLOB 'sale:*' AND source NOT GLOB 'code:*'
    AND EXISTS (SELECT 1 FROM accounts WHERE accounts.id = account_id AND verified_at IS NULL AND is_typed = 1) AS INTEGER) AS waits
FROM grants
UNION ALL
SELECT CAST(-(group_grants.id * 67108864 + group_members.id) AS INTEGER), account_id, kind, item_key,
  CAST('@' || group_name AS TEXT), CAST(max(joined_at, granted_at) AS INTEGER), starts_at, ends_at, CAST(NULL AS INTEGER),
  CAST(EXISTS (SELECT 1 FROM accounts WHERE accounts.id = account_id AND verified_at IS NULL AND is_typed = 1) AS INTEGER)
FROM group_grants JOIN group_members USING (group_name)
UNION ALL
SELECT CAST(-(group_grants.id * 67108864 + accounts.rowid) AS INTEGER), accounts.id, kind, item_key,
  CAST('@everyone' AS TEXT), CAST(max(created_at, granted_at) AS INTEGER), starts_at, ends_at, CAST(NULL AS INTEGER),
  CAST(0 AS INTEGER)
FROM group_grants JOIN accounts ON group_name = 'everyone' AND disabled_at IS NULL
  AND (verified_at IS NOT NULL OR is_typed = 0);
