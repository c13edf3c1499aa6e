-- The numbers of orders in books: consecutive, given by the write that first makes an order paid. Test sales have none.
ALTER TABLE orders ADD COLUMN number INTEGER;
UPDATE orders SET number = paid.number FROM (
  SELECT id, row_number() OVER (ORDER BY paid_at, id) AS number FROM orders
  WHERE is_test = 0 AND paid_at IS NOT NULL AND state IN ('paid', 'disputed', 'lost', 'refunded', 'ended')
    AND EXISTS (SELECT 1 FROM order_items WHERE order_id = orders.id)
) AS paid WHERE orders.id = paid.id;
CREATE UNIQUE INDEX orders_by_number ON orders (number) WHERE number IS NOT NULL;

-- The last number that was given: a number is never given twice, even if its order was merged into another.
CREATE TABLE order_numbers (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  last INTEGER NOT NULL
) STRICT;
INSERT INTO order_numbers SELECT 1, coalesce(max(number), 0) FROM orders;
