-- When the newest comparison with a provider began that came to its end: the next one looks from two days before it.
CREATE TABLE sale_comparisons (
  provider TEXT PRIMARY KEY,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Orders that end by themselves.
CREATE INDEX orders_running ON orders (until) WHERE state = 'paid' AND until IS NOT NULL;
