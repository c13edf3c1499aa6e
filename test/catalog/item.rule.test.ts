import { expect, test } from 'bun:test';
import { byline } from '../../src/catalog/item.rule.ts';

test.each<[readonly string[], string, string]>([
  [[], 'Marsh Press', 'Marsh Press'],
  [['Ada'], 'Ada', 'Ada'],
  [['Ada', 'Bob'], 'Ada', 'Ada · Bob'],
  [['Ada', 'Bob'], 'Marsh Press', 'Ada · Bob, published by Marsh Press'],
])('byline of the authors %j and the publisher %s is "%s"', (authors, publisher, line) => {
  const named = authors.map((name) => ({ name, about: null, url: null }));
  expect(byline({ authors: named, publisher })).toBe(line);
});
