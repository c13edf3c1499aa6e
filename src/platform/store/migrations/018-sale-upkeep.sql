-- When the newest completed comparison with a provider began: the next one looks from two days before that.
CREATE TABLE sale_comparisons (
  provider TEXT PRIMARY KEY,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Finds paid orders whose time runs out.
CREATE INDEX orders_running ON orders (until) WHERE state = 'paid' AND until IS NOT NULL;
