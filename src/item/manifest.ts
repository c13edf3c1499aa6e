import { line, lines, list, oneOf, paragraph, type Field } from './field.ts';
import type { SkillFrontMatter } from './front-matter.ts';
import type { ItemKind, Manifest } from './item.ts';
import { bookId, chapter, currency, httpsUrl, image, language, price } from './manifest-field.ts';
import { error, quote, type Problem } from './problem.ts';
import { didYouMean } from './spelling.ts';
import { parseYaml, type YamlMap } from './strict-yaml.ts';

const file = 'item.yaml';

const shared = {
  title: line(200),
  publisher: line(200),
  unitAmountCents: price,
  currency,
  status: oneOf(['draft', 'published', 'archived']),
  version: line(200),
  language,
  license: line(200),
  tags: lines(200),
  authors: lines(200),
  cover: image,
  chapters: list(chapter, ({ path }) => path),
  sample: lines(4096),
  checkoutUrl: httpsUrl,
  contact: line(200),
  include: lines(4096),
};

// A skill is named by its slug alone, and its description must fit the Agent Skills specification everywhere.
const fields = {
  book: { ...shared, id: bookId, description: paragraph(4000) },
  skill: { ...shared, id: null, description: paragraph(1024) },
};

// A skill's title and description default to SKILL.md's.
const required = {
  book: ['id', 'title', 'description', 'publisher', 'unitAmountCents'],
  skill: ['publisher', 'unitAmountCents'],
};

const missingRemedies: Readonly<Record<string, string>> = {
  id: 'Give the book a stable "id", which grants name and which outlives a renamed folder',
  unitAmountCents: 'Write "unitAmountCents: 0" for a free item: a missing price never makes one free',
};

type Source = {
  readonly kind: ItemKind;
  readonly slug: string;
  readonly yaml: string;
  readonly skill?: SkillFrontMatter | null;
};

/**
 * Reads item.yaml by contract §2 and names every problem at once. `manifest` is null when one of them is an error,
 * and for a skill without `skill`, whose own problems `parseFrontMatter` has told. Texts come back unchanged but for
 * `language`, which is made canonical. A skill has no `id`. `slug` is taken as given: `slugProblem` judges it.
 */
export function parseManifest({ kind, slug, yaml, skill = null }: Source): {
  manifest: Manifest | null;
  problems: readonly Problem[];
} {
  const { entries, problems } = parseYaml(yaml, file);
  if (entries === null) return { manifest: null, problems };
  const found = [...problems, ...unknownKeys(kind, entries), ...missingKeys(kind, entries)];
  const read = <T>(key: string, reader: Field<T> | null): T | null => {
    const value = entries.get(key);
    if (value === undefined || reader === null) return null;
    return reader(value, key, (code, sentence, remedy) => found.push(error(code, file, sentence, remedy)));
  };
  const { id, description, ...rules } = fields[kind];
  const manifest: Manifest = {
    kind,
    slug,
    id: read('id', id),
    title: read('title', rules.title) ?? skill?.name ?? '',
    description: read('description', description) ?? skill?.description ?? '',
    publisher: read('publisher', rules.publisher) ?? '',
    // Not a number rather than 0: an unreadable price must never look free, not even by mistake.
    unitAmountCents: read('unitAmountCents', rules.unitAmountCents) ?? Number.NaN,
    currency: read('currency', rules.currency) ?? 'usd',
    status: read('status', rules.status) ?? 'published',
    version: read('version', rules.version),
    language: read('language', rules.language),
    license: read('license', rules.license),
    tags: read('tags', rules.tags) ?? [],
    authors: read('authors', rules.authors) ?? [],
    cover: read('cover', rules.cover),
    chapters: read('chapters', rules.chapters),
    sample: read('sample', rules.sample) ?? [],
    checkoutUrl: read('checkoutUrl', rules.checkoutUrl),
    contact: read('contact', rules.contact),
    include: read('include', rules.include) ?? [],
  };
  const refused =
    (kind === 'skill' && skill === null) || found.some((problem) => problem.severity === 'error');
  return { manifest: refused ? null : manifest, problems: found };
}

function unknownKeys(kind: ItemKind, entries: YamlMap): Problem[] {
  const known = Object.entries(fields[kind]).flatMap(([key, reader]) => (reader === null ? [] : [key]));
  return [...entries.keys()]
    .filter((key) => !known.includes(key))
    .map((key) =>
      kind === 'skill' && key === 'id'
        ? error('skill-id', file, 'Cannot use "id" in a skill', 'Remove it: a skill is named by its folder')
        : error(
            'unknown-key',
            file,
            `Cannot read the key ${quote(key)}`,
            didYouMean(key, known, 'Remove it'),
          ),
    );
}

function missingKeys(kind: ItemKind, entries: YamlMap): Problem[] {
  return required[kind]
    .filter((key) => !entries.has(key))
    .map((key) =>
      error(
        'missing-key',
        file,
        `Cannot find the key "${key}"`,
        missingRemedies[key] ?? `Add a line "${key}: …"`,
      ),
    );
}
