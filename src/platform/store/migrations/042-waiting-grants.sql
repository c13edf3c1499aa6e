-- A grant that the owner gave to an address waits until the address of its account is proven: somebody else may have typed it.
-- An order's own buyer, and who redeems a code, proved their right otherwise. Only proven accounts are `everyone`.
DROP VIEW all_grants;
CREATE VIEW all_grants AS
SELECT id, account_id, kind, item_key, source, granted_at, starts_at, ends_at, revoked_at,
  CAST(source NOT GLOB 'sale:*' AND source NOT GLOB 'code:*'
    AND (SELECT verified_at FROM accounts WHERE accounts.id = account_id) IS NULL AS INTEGER) AS waits
FROM grants
UNION ALL
SELECT CAST(-(group_grants.id * 67108864 + group_members.id) AS INTEGER), account_id, kind, item_key,
  CAST('@' || group_name AS TEXT), CAST(max(joined_at, granted_at) AS INTEGER), starts_at, ends_at, CAST(NULL AS INTEGER),
  CAST((SELECT verified_at FROM accounts WHERE accounts.id = account_id) IS NULL AS INTEGER)
FROM group_grants JOIN group_members USING (group_name)
UNION ALL
SELECT CAST(-(group_grants.id * 67108864 + accounts.rowid) AS INTEGER), accounts.id, kind, item_key,
  CAST('@everyone' AS TEXT), CAST(max(created_at, granted_at) AS INTEGER), starts_at, ends_at, CAST(NULL AS INTEGER),
  CAST(0 AS INTEGER)
FROM group_grants JOIN accounts ON group_name = 'everyone' AND disabled_at IS NULL AND verified_at IS NOT NULL;

-- Until now only the owner, by an import, made accounts without a password and without a proof: nobody else typed those
-- addresses, and the keys that the owner made for them go on opening what they have.
UPDATE accounts SET verified_at = created_at WHERE verified_at IS NULL AND password_hash IS NULL;
