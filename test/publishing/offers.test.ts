import { describe, expect, test } from 'bun:test';
import { type Catalog } from '../../src/catalog/catalog.ts';
import { findProduct, listOffers } from '../../src/selling/offer.ts';
import {
  type Files,
  itemYaml,
  openStall,
  type Stall,
  temporaryDirectory,
  writeFiles,
} from '../helpers/harness.ts';
import { type } from '../platform/cli/type.ts';

const book = (slug: string, sell = '', more = {}): Files => ({
  [`books/${slug}/item.yaml`]: `${itemYaml({ id: `id-${slug}`, unitAmountCents: 1900, ...more })}\n${sell === '' ? '' : `sell: ${sell}\n`}`,
  [`books/${slug}/a.md`]: '# One\n',
});
const bundle = (slug: string, items: string, sell = '{stripe: [plink_both]}'): string =>
  `  - slug: ${slug}\n    title: Both\n    items: ${items}\n    unitAmountCents: 2900\n    sell: ${sell}\n`;
const stallYaml = (...bundles: string[]): Files => ({ 'stall.yaml': `bundles:\n${bundles.join('')}` });

async function publish({ app, content }: Stall, files: Files): Promise<readonly string[]> {
  writeFiles(content, files);
  return (await app.publish()).flatMap(({ slug, problems }) => problems.map(({ code }) => `${slug} ${code}`));
}

const findOffer = (catalog: Catalog, provider: string, id: string) =>
  listOffers(catalog).find((offer) => offer.provider === provider && offer.product === id);

test('an id leads to its item or bundle, and an unknown one to nothing', async () => {
  const files = {
    ...book('herons', '{stripe: [plink_1], lemonsqueezy: [7], least: {usd: 500}}'),
    ...book('egrets', '{gumroad: [plink_1]}', { status: 'draft' }),
    ...stallYaml(bundle('both', '[herons, egrets]')),
  };
  const stall = await openStall({ files });
  const catalog = stall.app.catalog();
  const herons = { kind: 'book' as const, itemKey: 'id-herons', slug: 'herons' };
  const offer = { slug: 'herons', bundle: null, items: [herons], isComplete: true, least: { usd: 500 } };
  expect(findOffer(catalog, 'stripe', 'plink_1')).toMatchObject(offer);
  expect(findOffer(catalog, 'lemonsqueezy', '7')).toMatchObject(offer);
  expect(findOffer(catalog, 'gumroad', 'plink_1')).toMatchObject({ slug: 'egrets', isComplete: false });
  expect(findOffer(catalog, 'stripe', 'plink_both')).toMatchObject({
    slug: 'both',
    bundle: 'both',
    items: [herons, { slug: 'egrets' }],
    isComplete: false,
    least: null,
  });
  expect(findOffer(catalog, 'polar', 'plink_1')).toBeUndefined();
  expect(findOffer(catalog, 'stripe', 'plink_none')).toBeUndefined();
  expect(findProduct(catalog, 'both')).toMatchObject({ bundle: 'both' });
  expect(findProduct(catalog, 'herons')).toMatchObject({ items: [herons] });
  expect(findProduct(catalog, 'nothing')).toBeUndefined();
});

describe('an id that two name', () => {
  test('is an error at both; the one on sale keeps its last good edition', async () => {
    const stall = await openStall({ files: book('herons', '{stripe: [plink_1]}') });
    const problems = await publish(stall, {
      ...book('herons', '{stripe: [plink_1, plink_3]}'),
      ...book('egrets', '{stripe: [plink_2, plink_1]}'),
    });
    expect(problems).toEqual(['egrets sell-clash', 'herons sell-clash']);
    const catalog = stall.app.catalog();
    expect(catalog.editions.map(({ manifest }) => manifest.slug)).toEqual(['herons']);
    expect(findOffer(catalog, 'stripe', 'plink_1')).toMatchObject({ slug: 'herons' });
    expect(findOffer(catalog, 'stripe', 'plink_3')).toBeUndefined();
    expect(await publish(stall, book('egrets', '{stripe: [plink_2]}'))).toEqual([]);
    expect(findOffer(stall.app.catalog(), 'stripe', 'plink_3')).toMatchObject({ slug: 'herons' });
    expect(findOffer(stall.app.catalog(), 'stripe', 'plink_2')).toMatchObject({ slug: 'egrets' });
  });

  test('is an error at the item and in stall.yaml, which keeps its last good bundles', async () => {
    const directory = temporaryDirectory();
    const files = { ...book('herons', '{stripe: [plink_1]}'), ...book('egrets') };
    const stall = await openStall({
      directory,
      files: { ...files, ...stallYaml(bundle('both', '[herons, egrets]')) },
    });
    const clash = stallYaml(bundle('both', '[herons, egrets]', '{stripe: [plink_both, plink_1]}'));
    expect(await publish(stall, clash)).toEqual(['herons sell-clash']);
    expect(findOffer(stall.app.catalog(), 'stripe', 'plink_1')).toMatchObject({ slug: 'herons' });
    expect(findOffer(stall.app.catalog(), 'stripe', 'plink_both')).toMatchObject({ slug: 'both' });
    expect(JSON.stringify(stall.log)).toContain('books/herons/item.yaml names it too');
    await stall.close();
    const again = await openStall({ directory, files: {} });
    expect(findOffer(again.app.catalog(), 'stripe', 'plink_1')).toMatchObject({ slug: 'herons' });
    expect(findOffer(again.app.catalog(), 'stripe', 'plink_both')).toMatchObject({ slug: 'both' });
  });
});

describe('a bundle and an item share no slug', () => {
  test('a new item does not take the slug of a bundle, nor a new bundle that of an item', async () => {
    const files = { ...book('herons'), ...book('egrets'), ...stallYaml(bundle('both', '[herons, egrets]')) };
    const stall = await openStall({ files });
    expect(await publish(stall, book('both'))).toEqual(['both clash']);
    expect(stall.app.catalog().bySlug.has('both')).toBe(false);
    expect(stall.app.catalog().bundles).toHaveLength(1);
    await publish(
      stall,
      stallYaml(bundle('both', '[herons, egrets]'), bundle('herons', '[both, egrets]', '{polar: []}')),
    );
    expect(stall.app.catalog().bundles).toMatchObject([{ slug: 'both', items: ['herons', 'egrets'] }]);
    expect(stall.app.catalog().bySlug.has('herons')).toBe(true);
  });
});

test('an id that is not ours has no items, unless something is sold by it', async () => {
  const stall = await openStall({
    files: { ...book('herons', '{stripe: [plink_1]}'), 'stall.yaml': 'notOurs: [plink_1, plink_9]\n' },
  });
  expect(listOffers(stall.app.catalog())).toMatchObject([
    { provider: 'stripe', product: 'plink_1', slug: 'herons' },
    { provider: '', product: 'plink_9', bundle: null, items: [] },
  ]);
});

test('check names what is wrong with ids and bundles, each in its file', async () => {
  const content = temporaryDirectory();
  writeFiles(content, {
    ...book('herons', '{stripe: [plink_1]}'),
    ...book('egrets', '{stripe: [plink_1]}', { status: 'archived' }),
    ...stallYaml(bundle('herons', '[egrets, heron]', '{stripe: [plink_2]}')),
  });
  const { code, out, err } = await type(['check', '--content', content]);
  expect(code).toBe(1);
  const text = `${out}${err}`;
  expect(text).toContain('Cannot sell by the Stripe id "plink_1": books/egrets/item.yaml names it too');
  expect(text).toContain('Cannot sell by the Stripe id "plink_1": books/herons/item.yaml names it too');
  expect(text).toContain('Cannot sell "heron" in the bundle "herons": no item has this slug');
  expect(text).toContain('Cannot show the bundle "herons": "egrets" is archived');
  expect(text).toContain('the slug "herons": books/herons has it too');
});
