import { expect, test } from 'bun:test';
import { itemYaml, openStall, SHELF } from '../helpers/harness.ts';
import { DAY, TODAY } from '../helpers/admin-services.ts';

const EMAIL = 'anna@example.org';

/** A stall whose clock only the test moves, and the library of Anna's key. */
async function open(files = SHELF) {
  let time = TODAY;
  const stall = await openStall({ files, now: () => time });
  await stall.app.admin.accounts.add(EMAIL);
  const { key } = await stall.app.admin.keys.create(EMAIL, 'test', 'never');
  const reader = { headers: { Authorization: `Bearer ${key}` } };
  const library = async () => {
    const answer = (await (await stall.fetch('/api/cli/library', reader)).json()) as {
      items: { slug: string; grantedAt: string }[];
    };
    return answer.items.map(({ slug, grantedAt }) => `${slug} ${(Date.parse(grantedAt) - TODAY) / DAY}`);
  };
  return { grants: stall.app.admin.grants, library, pass: (days: number) => (time += days * DAY) };
}

test('free, draft and archived items are never in a library, even if granted', async () => {
  const { grants, library } = await open();
  for (const name of ['free', 'paid', 'draft', 'archived'])
    for (const kind of ['book', 'skill']) await grants.add({ email: EMAIL, slug: `${name}-${kind}` });
  expect(await library()).toEqual(['paid-book 0', 'paid-skill 0']);
});

test('several grants of one item are one row, with the earliest live grant', async () => {
  const { grants, library, pass } = await open();
  const day = (days: number) => new Date(TODAY + days * DAY).toISOString();
  await grants.add({ email: EMAIL, slug: 'paid-book', source: 'trial', until: day(3) });
  pass(1);
  await grants.add({ email: EMAIL, slug: 'paid-book', source: 'shop' });
  await grants.add({ email: EMAIL, slug: 'paid-skill', from: day(4) });
  expect(await library()).toEqual(['paid-book 0']);
  pass(2);
  expect(await library()).toEqual(['paid-book 1']);
  await grants.revoke(EMAIL, 'paid-book', 'shop');
  expect(await library()).toEqual([]);
  pass(1);
  expect(await library()).toEqual(['paid-skill 1']);
});

test('a library is sorted by title, then slug', async () => {
  const book = (slug: string, title: string) => ({
    [`books/${slug}/item.yaml`]: itemYaml({ id: slug, title, unitAmountCents: 5 }),
    [`books/${slug}/a.md`]: 'a',
  });
  const { grants, library } = await open({
    ...book('z', 'Alpha'),
    ...book('b', 'Beta'),
    ...book('a', 'Beta'),
    ...book('c', 'Gamma'),
  });
  for (const slug of ['c', 'b', 'a', 'z']) await grants.add({ email: EMAIL, slug });
  expect(await library()).toEqual(['z 0', 'a 0', 'b 0', 'c 0']);
});

test('a library shows a changed account and item at the next request', async () => {
  const { grants, library, pass } = await open();
  await grants.add({ email: EMAIL, slug: 'paid-book' });
  expect(await library()).toEqual(['paid-book 0']);
  expect(await library()).toEqual(['paid-book 0']);
  const until = new Date(TODAY + 2 * DAY).toISOString();
  await grants.add({ email: EMAIL, slug: 'paid-skill', from: new Date(TODAY + DAY).toISOString(), until });
  expect(await library()).toEqual(['paid-book 0']);
  pass(1);
  expect(await library()).toEqual(['paid-book 0', 'paid-skill 0']);
  pass(1);
  expect(await library()).toEqual(['paid-book 0']);
  pass(-1);
  expect(await library()).toEqual(['paid-book 0', 'paid-skill 0']);
});
