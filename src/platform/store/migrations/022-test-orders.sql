-- Sales that `sell test` or the demo played, as isTestSale knows them: no figure counts them. Those of 0.2.0 were counted until now.
ALTER TABLE orders ADD COLUMN is_test INTEGER NOT NULL DEFAULT 0 CHECK (is_test IN (0, 1));
UPDATE orders SET is_test = 1 WHERE provider = 'demo' OR provider_ref GLOB 'cs_bookstall_*'
  OR provider_ref GLOB 'b0057a11-*' OR provider_ref GLOB '90000[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]';
DELETE FROM order_payments WHERE order_id IN (SELECT id FROM orders WHERE is_test = 1);
