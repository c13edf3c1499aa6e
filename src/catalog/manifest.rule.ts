import { type ItemDefaults, noDefaults } from './stall-manifest.rule.ts';
import {
  parseYaml,
  readKeys,
  refuseUnknown,
  type ReportProblem,
  type YamlMap,
} from '../platform/base/field.ts';
import type { SkillFrontMatter } from './front-matter.rule.ts';
import { isFree, type Manifest } from './item.rule.ts';
import { type ItemKind } from '../platform/base/principal.ts';
import { manifestKeys, requiredKeys, withMinorUnits } from './manifest-key.rule.ts';
import { priceWarnings } from './price.rule.ts';
import { error, type Problem, quote, warning } from '../platform/base/problem.ts';
import { isMap, isScalar, isSeq, type Node, type Pair, parseDocument, stringify } from 'yaml';
import { Refusal } from '../platform/base/refusal.ts';
import type { Chapter } from './chapters.rule.ts';
import type { PaymentProvider } from '../words/payment-provider.ts';

const file = 'item.yaml';

const missingRemedies: Readonly<Record<string, string>> = {
  id: 'Give the book a stable "id", by which grants name it even after its folder was renamed',
  unitAmountCents: 'Write "unitAmountCents: 0" for a free item: a missing price never makes one free',
};

type Source = {
  readonly kind: ItemKind;
  readonly slug: string;
  readonly yaml: string;
  readonly skill?: SkillFrontMatter | null;
  readonly defaults?: ItemDefaults;
};

/**
 * Reads item.yaml and lists all problems at once. `manifest` is null if one is an error, or for a skill if `skill`, its front
 * matter, is null (`parseFrontMatter` reports that). `slug` is not checked; see `slugProblem`.
 */
export function parseManifest({ kind, slug, yaml, skill = null, defaults = noDefaults }: Source): {
  manifest: Manifest | null;
  problems: readonly Problem[];
} {
  const { entries, problems } = parseYaml(yaml, file);
  if (entries === null) return { manifest: null, problems };
  const found = [...problems];
  const report: ReportProblem = (code, sentence, remedy) => found.push(error(code, file, sentence, remedy));
  const priced = withMinorUnits(entries, defaults.currency, report);
  refuseUnknownKeys(kind, priced, report);
  found.push(...missingKeys(kind, entries, defaults));
  const values = {
    id: null,
    aliases: {},
    accessibility: null,
    ...readKeys(manifestKeys[kind], priced, report),
  };
  const given = Object.entries(defaults).filter(([key, one]) => typeof one === 'string' && !entries.has(key));
  const manifest: Manifest = {
    ...values,
    ...Object.fromEntries(given),
    kind,
    slug,
    title: values.title || (skill?.name ?? ''),
    description: values.description || (skill?.description ?? ''),
    ...(skill?.needs && { needs: skill.needs }),
  };
  const { sell, unitAmountCents, currency, formerly } = manifest;
  if (sell !== null && isFree(manifest))
    report(
      'free-sell',
      'Cannot use "sell" for a free item',
      'Remove it, or give the item a price with "unitAmountCents"',
    );
  const suggestion = suggestionProblem(manifest);
  if (suggestion !== null) report('bad-suggestion', ...suggestion);
  const isRefused =
    (kind === 'skill' && skill === null) || found.some((problem) => problem.severity === 'error');
  if (isRefused) return { manifest: null, problems: found };
  if (!entries.has('price')) found.push(...priceWarnings(unitAmountCents, currency));
  // An item that was renamed back may name its own slug in `formerly`: that has no effect.
  const sentence = `"formerly" names ${quote(slug)}, which this item has now`;
  if (formerly.includes(slug)) found.push(warning('own-former-slug', file, sentence, 'Remove it'));
  return { manifest, problems: found };
}

/** The smallest minimum price when buyers choose what to pay, in minor units: payment providers accept no less. */
export const LEAST_CHOSEN = 50;

function suggestionProblem({ unitAmountCents: least, suggestedAmountCents: suggested }: Manifest) {
  if (suggested === null || least === null || (least >= LEAST_CHOSEN && suggested >= least)) return null;
  return [
    `Cannot use ${suggested} as "suggestedAmountCents" beside a price of ${least} in minor units`,
    least === 0
      ? 'Remove it, and link to a page where readers support you: the item is free'
      : `Let the price be the least that a buyer may pay, ${LEAST_CHOSEN} or more, and the suggestion no less`,
  ] as const;
}

function refuseUnknownKeys(kind: ItemKind, entries: YamlMap, report: ReportProblem): void {
  const others = new Map(entries);
  if (kind === 'skill' && others.delete('id'))
    report('skill-id', 'Cannot use "id" in a skill', 'Remove it: a skill is named by its folder');
  refuseUnknown(others, [...Object.keys(manifestKeys[kind]), 'price'], report);
}

function missingKeys(kind: ItemKind, entries: YamlMap, defaults: ItemDefaults): Problem[] {
  const isDraft = entries.get('status') === 'draft';
  const given = new Map<string, unknown>([
    ...Object.entries(defaults),
    ['unitAmountCents', entries.get('price')],
  ]);
  return requiredKeys[kind]
    .filter((key) => !entries.has(key) && (given.get(key) ?? null) === null)
    .map((key) => {
      const remedy = missingRemedies[key] ?? `Add a line "${key}: …"`;
      return isDraft && OPEN_IN_DRAFTS.has(key)
        ? warning('missing-key', file, `The draft has no "${key}" yet`, remedy)
        : error('missing-key', file, `Cannot find the key "${key}"`, remedy);
    });
}

const OPEN_IN_DRAFTS: ReadonlySet<string> = new Set(['publisher', 'unitAmountCents']);

/** A value of item.yaml to be written; null and an empty list leave the key out. */
export type Value = string | number | null | readonly Value[] | { readonly [key: string]: Value };

type Written = { readonly values: YamlValues; readonly chapters: readonly Chapter[] };

type Entry = Readonly<Record<string, string>>;

const HEAD = '# Every key is explained in the Handbook, chapter "Settings".\n';
const OPTIONS = { schema: 'failsafe', lineWidth: 0 } as const;
const WRITTEN = { lineWidth: 0, flowCollectionPadding: false } as const;

export function writeItemYaml({ values, chapters }: Written): string {
  const given = Object.entries(values).flatMap(([key, value]) => {
    const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
    return isEmpty ? [] : [[key, typeof value === 'number' ? String(value) : value] as const];
  });
  const listed = chapters.length === 0 ? {} : { chapters: entriesOf(chapters) };
  return HEAD + stringify({ ...Object.fromEntries(given), ...listed }, OPTIONS);
}

export type YamlValues = Readonly<Record<string, Value>>;

/** Returns an item.yaml with some values set; everything else stays, comments too. Null, '' and an empty list remove a key. */
export function setValues(yaml: string, values: YamlValues): string {
  const document = parseDocument(yaml, OPTIONS);
  for (const [key, value] of Object.entries(values)) {
    const isEmpty = value === null || value === '' || (Array.isArray(value) && value.length === 0);
    const written = typeof value === 'number' ? String(value) : value;
    if (isEmpty) document.delete(key);
    // Set as plain text, a scalar keeps the comment beside it.
    else if (typeof written === 'string' && isScalar(document.get(key, true))) document.set(key, written);
    else document.set(key, document.createNode(written));
  }
  return document.toString(WRITTEN);
}

export function replaceChapters(yaml: string, chapters: readonly Chapter[]): string {
  const document = parseDocument(yaml, OPTIONS);
  if (chapters.length === 0) document.delete('chapters');
  else document.set('chapters', document.createNode(entriesOf(chapters)));
  return document.toString(WRITTEN);
}

function pathOf(node: unknown): string | null {
  const path: unknown = isMap(node) ? node.get('path') : isScalar(node) ? node.value : null;
  return typeof path === 'string' ? path : null;
}

type ChapterChanges = {
  /** New titles by path; '' leaves the title to the text. */
  readonly titles: ReadonlyMap<string, string>;
  readonly gone: ReadonlySet<string>;
  readonly added: readonly string[];
};

/** Returns an item.yaml with chapters retitled, removed, and added at the end; unchanged if it has no list of chapters. */
export function editChapters(yaml: string, { titles, gone, added }: ChapterChanges): string {
  const document = parseDocument(yaml, OPTIONS);
  const list = document.get('chapters');
  if (!isSeq(list)) return yaml;
  const kept = list.items.filter((node) => !gone.has(pathOf(node) ?? ''));
  for (const [at, node] of kept.entries()) {
    const path = pathOf(node) ?? '';
    const title = titles.get(path);
    if (title === undefined) continue;
    if (!isMap(node)) kept[at] = document.createNode({ path, title });
    else if (title === '') node.delete('title');
    else node.set('title', title);
  }
  list.items = [...kept, ...added.map((path) => document.createNode(path))];
  if (list.items.length === 0) document.delete('chapters');
  return document.toString(WRITTEN);
}

export type MergedChapters = {
  readonly yaml: string;
  readonly added: readonly string[];
  readonly gone: readonly string[];
  /** Whether the chapters differ from the source's in order, titles, levels or parts, since a person changed them. */
  readonly isOwn: boolean;
};

/**
 * Updates the chapters of an item.yaml from a newer source, and keeps what a person changed there. A chapter without a
 * file is removed. A new one (`isNew`) is put behind the chapter that precedes it in the source, or first in its part.
 * Pages that the person removed are not added again.
 */
export function mergeChapters(
  yaml: string,
  chapters: readonly Chapter[],
  { isThere, isNew }: Readonly<Record<'isThere' | 'isNew', (path: string) => boolean>>,
): MergedChapters {
  const document = parseDocument(yaml, OPTIONS);
  const list = document.get('chapters');
  if (!isSeq(list)) return { yaml, added: [], gone: [], isOwn: chapters.length > 0 };
  const isGone = (node: unknown): boolean => pathOf(node) !== null && !isThere(pathOf(node)!);
  const gone = list.items.flatMap((node) => (isGone(node) ? pathOf(node)! : []));
  list.items = list.items.filter((node) => !isGone(node));
  const added: string[] = [];
  let before = -1;
  let lastPart: string | null = null;
  // The source's chapter numbers are not used: those in item.yaml are the person's own.
  for (const { path, title, level, part } of chapters) {
    const at = list.items.findIndex((node) => pathOf(node) === path);
    if (at === -1 && !isNew(path)) continue;
    if (at !== -1) before = at;
    else {
      const heading = list.items.findIndex((node) => isMap(node) && node.get('part') === part);
      if (part !== lastPart && heading !== -1) before = heading;
      list.items.splice(++before, 0, document.createNode(entriesOf([{ path, title, level, part: null }])[0]));
      added.push(path);
    }
    lastPart = part;
  }
  const isOwn = JSON.stringify(list.toJSON()) !== JSON.stringify(entriesOf(chapters));
  const isSame = added.length + gone.length === 0;
  return { yaml: isSame ? yaml : document.toString(WRITTEN), added, gone, isOwn };
}

/**
 * Adds a sale to an item.yaml, or to the bundle with the slug `bundle` in a stall.yaml: `id`, before the provider's other ids,
 * and `checkoutUrl`, the address of the Buy button. A null value is not written, and all other bytes stay. `yaml` must have no
 * errors, and the item must have a price. Refuses if the result could not be read.
 */
export function addSale(
  yaml: string,
  sale: {
    readonly bundle: string | null;
    readonly provider: PaymentProvider;
    readonly id: string | null;
    readonly checkoutUrl: string | null;
  },
): string {
  const { bundle, provider, id, checkoutUrl } = sale;
  const document = parseDocument(yaml, OPTIONS);
  const bundles = document.get('bundles');
  const owners = bundle === null || !isSeq(bundles) ? [document.contents] : bundles.items;
  const owner = owners.find((one) => bundle === null || (isMap(one) && one.get('slug') === bundle));
  const [cents, button, sell] = ['unitAmountCents', 'checkoutUrl', 'sell'].map((key) => pairOf(owner, key));
  const price = cents ?? pairOf(owner, 'price');
  const ids = pairOf(sell?.value, provider)?.value;
  const edits: (readonly [from: number, to: number, text: string])[] = [];
  const lines: string[] = [];
  const start = yaml.startsWith('\uFEFF') ? 1 : 0;
  const place = (node: unknown): readonly [from: number, to: number] => {
    const [from, to] = (node as Node).range ?? [0, 0];
    return [from, from + yaml.slice(from, to).trimEnd().length];
  };
  const indentAt = (at: number): string =>
    `\n${' '.repeat(at - Math.max(start, yaml.lastIndexOf('\n', at - 1) + 1))}`;
  const insertBefore = (node: unknown, text: string, indent: string | null) =>
    edits.push([place(node)[0], place(node)[0], text + (indent ?? ', ')]);
  if (checkoutUrl !== null && button) edits.push([...place(button.value), flowScalar(checkoutUrl)]);
  else if (checkoutUrl !== null) lines.push(`checkoutUrl: ${flowScalar(checkoutUrl)}`);
  if (id !== null && isSeq(ids))
    insertBefore(ids.items[0], flowScalar(id), ids.flow ? null : `${indentAt(place(ids)[0])}- `);
  else if (id !== null && isScalar(ids))
    edits.push([...place(ids), `[${flowScalar(id)}, ${String(ids.value)}]`]);
  else if (id !== null && isMap(sell?.value)) {
    const first = sell.value.items[0]?.key;
    insertBefore(
      first,
      `${provider}: [${flowScalar(id)}]`,
      sell.value.flow ? null : indentAt(place(first)[0]),
    );
  } else if (id !== null) lines.push(`sell: {${provider}: [${flowScalar(id)}]}`);
  const [, end] = place(price?.value);
  const isFlow = isMap(owner) && owner.flow === true;
  const at = isFlow ? end : end + yaml.slice(end).search(/\r?\n|$/);
  const before = isFlow ? ', ' : indentAt(place(price?.key)[0]);
  edits.push([at, at, lines.map((line) => before + line).join('')]);
  const changed = edits
    .toSorted(([a], [b]) => b - a)
    .reduce((text, [from, to, more]) => text.slice(0, from) + more + text.slice(to), yaml);
  if (parseDocument(changed, OPTIONS).errors.length > 0)
    throw Refusal.invalid(
      `Cannot add a sale to YAML that is written in a rare way: add "sell: {${provider}: [${id}]}" and "checkoutUrl: ${checkoutUrl}" by hand`,
    );
  return yaml.includes('\r\n') ? changed.replaceAll(/\r?\n/g, '\r\n') : changed;
}

const pairOf = (map: unknown, key: string): Pair | undefined =>
  isMap(map) ? map.items.find((pair) => isScalar(pair.key) && pair.key.value === key) : undefined;

const flowScalar = (text: string): string =>
  /^[\w-][\w./:?=&%-]*[\w/=]$/.test(text) ? text : JSON.stringify(text);

function entriesOf(chapters: readonly Chapter[]): readonly Entry[] {
  let part: string | null = null;
  return chapters.flatMap(({ path, title, level, number, part: own }) => {
    const heading: readonly Entry[] = own === part ? [] : [own === null ? { end: 'part' } : { part: own }];
    part = own;
    const entry: Entry = {
      path,
      ...(title === null ? {} : { title }),
      ...(level === 1 ? {} : { level: String(level) }),
      ...(number === undefined ? {} : { number }),
    };
    return [...heading, entry];
  });
}

const LONGEST_SUMMARY = 300;
const LEAST_BYTES = 30;

let sentences: Intl.Segmenter | null = null;

/**
 * Splits an item's description into its first sentence, in plain words, and the rest as written. The sentence is '' if it is
 * longer than 300 characters or, in a book, contains markup other than emphasis and code.
 */
export function openingOf(manifest: Pick<Manifest, 'kind' | 'description'>): {
  readonly sentence: string;
  readonly rest: string;
} {
  const text = manifest.description.trim();
  // Line breaks become spaces, since the segmenter would take each for the end of a sentence.
  const [paragraph = ''] = text.split(/\n\s*\n/).map((one) => one.replace(/\n/g, ' '));
  const first = firstSentence(paragraph);
  const isSkill = manifest.kind === 'skill';
  if (first.length > LONGEST_SUMMARY || !(isSkill || isProse(first))) return { sentence: '', rest: text };
  const words = isSkill ? first : withoutMarks(first);
  return { sentence: words.replace(/\s+/g, ' ').trim(), rest: text.slice(first.length).trim() };
}

/**
 * Whether a sentence has no markup but emphasis and code that end within it. A link or a picture would be lost in plain
 * words.
 */
function isProse(sentence: string): boolean {
  const isOther = /^\s*(?:[-+#>]|\* |\d+[.)]\s|~~~|```)|[<|[\]]/.test(sentence);
  return !isOther && ['*', '_', '`', '~'].every((mark) => sentence.split(mark).length % 2 === 1);
}

/** Returns the first sentence. If it is short, the next one is added, since "Dr." may look like a sentence. */
function firstSentence(paragraph: string): string {
  sentences ??= new Intl.Segmenter('en', { granularity: 'sentence' });
  let sentence = '';
  for (const { segment } of sentences.segment(paragraph)) {
    sentence += segment;
    if (Buffer.byteLength(sentence) >= LEAST_BYTES) break;
  }
  return sentence;
}

export function summaryOf({ kind, description }: Pick<Manifest, 'kind' | 'description'>): string {
  const words = kind === 'book' ? withoutMarks(description) : description;
  const characters = [...words.replace(/\s+/g, ' ').trim()];
  return characters.length > LONGEST_SUMMARY
    ? `${characters.slice(0, LONGEST_SUMMARY).join('')}…`
    : characters.join('');
}

const withoutMarks = (markdown: string): string =>
  markdown
    .replace(/^\s{0,3}(?:#{1,6}|[-*+>])\s+/gm, '')
    .replace(/!\[[^[\]]*\]\([^()]*\)/g, '')
    .replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/(\*\*|__|`)(?=\S)(.+?)\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}])([*_])(?=\S)([^*_]+)\1(?![\p{L}\p{N}])/gu, '$2');
