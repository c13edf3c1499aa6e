import { expect, test } from 'bun:test';
import { itemDigest } from '../../src/catalog/item.rule.ts';

const file = (path: string, sha256: string, executable = false) => ({ path, sha256, executable });
const one = '1'.repeat(64);
const two = '2'.repeat(64);

// Golden: printf '%s  0644 %s\n%s  0755 %s\n' $one '\uE000.md' $two '😀.sh' | sha256sum, so that it holds for ever.
const golden = 'f30da68c97f7e4aa405f45bfb3b0ca247ead617e8adc9884fbbc11100b749962';

test('the item digest is sorted by UTF-8 bytes, whatever the order given', () => {
  const files = [file('\uE000.md', one), file('😀.sh', two, true)];
  expect(itemDigest(files)).toBe(golden);
  expect(itemDigest(files.toReversed())).toBe(golden);
});

test('the digest of no files is that of no bytes', () => {
  expect(itemDigest([])).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
});

test.each([
  ['path', file('b', one)],
  ['content', file('a', two)],
  ['executable bit', file('a', one, true)],
])('another %s is another digest', (_, changed) => {
  expect(itemDigest([changed])).not.toBe(itemDigest([file('a', one)]));
});
