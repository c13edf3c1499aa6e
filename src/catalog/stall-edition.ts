import { isUtf8 } from 'node:buffer';
import { lstatSync, readdirSync, readFileSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { createIgnore } from './ignore.rule.ts';
import { prefixesOf } from './path.rule.ts';
import { error, quote, type Problem } from '../platform/base/problem.ts';
import {
  defaultStallManifest,
  NOTHING_SET,
  type OfficeStall,
  parseStallManifest,
  STALL_TEXTS,
  type StallFile,
  stallFiles,
  type StallManifest,
  withOffice,
} from './stall-manifest.rule.ts';
import { readChunks } from './file-scan.ts';
import { unreadable } from './tree.ts';

/** The stall.yaml of a stall with the files that it names: images by path, as base64, and texts as Markdown. */
export type StallEdition = {
  readonly stall: StallManifest;
  readonly images: Readonly<Record<string, string>>;
  readonly terms: string | null;
  readonly privacy: string | null;
  readonly imprint: string | null;
  /** The keys that stall.yaml gives. The owner may set all others in the office, the stall's admin pages. */
  readonly given: readonly string[];
  /** The files in `mails` by path: each one's text, or the problem that keeps it from being read. */
  readonly mails: Readonly<Record<string, string | Problem>>;
};

export const defaultEdition: StallEdition = {
  stall: defaultStallManifest,
  images: {},
  terms: null,
  privacy: null,
  imprint: null,
  given: [],
  mails: {},
};

export type ReadStall = StallEdition & { readonly isThere: boolean; readonly problems: readonly Problem[] };

/** The maximum size of a file, in bytes: all of them are kept in memory, and the logo is sent with every page. */
const MAX_BYTES = 256 * 1024;

type NamedFile = { readonly key: string; readonly path: string };

const IMAGES: ReadonlySet<string> = new Set<StallFile['key']>(['logo', 'intro']);

/**
 * Reads a content directory's stall.yaml and the files it names, and adds what the owner set in the office for keys that
 * stall.yaml lacks. A key with a problem keeps its default; never throws.
 */
export const readStall = (content: string, office: OfficeStall = NOTHING_SET): ReadStall =>
  addOffice(readOwn(content), office);

export function addOffice<Read extends StallEdition>(read: Read, office: OfficeStall): Read {
  const isFree = (key: StallFile['key']): boolean => !read.given.includes(key);
  const { logo } = office.files;
  const texts = STALL_TEXTS.filter(isFree).map((key) => [key, office.files[key]?.content ?? null]);
  return {
    ...read,
    stall: withOffice(read.stall, read.given, office),
    images: logo?.content && isFree('logo') ? { ...read.images, [logo.path]: logo.content } : read.images,
    ...Object.fromEntries(texts),
  };
}

function readOwn(content: string): ReadStall {
  const mails = readMails(content);
  try {
    const stat = statOf(content, 'stall.yaml');
    if (stat === undefined) return { isThere: false, ...defaultEdition, mails, problems: [] };
    if (!stat.isFile())
      return { isThere: true, ...defaultEdition, mails, problems: [notAFile('stall.yaml')] };
    const { given, ...parsed } = parseStallManifest(readFileSync(join(content, 'stall.yaml'), 'utf8'));
    return { ...readFiles(content, parsed), given, mails };
  } catch (cause) {
    return { isThere: true, ...defaultEdition, mails, problems: [unreadable('stall.yaml', cause)] };
  }
}

function readMails(content: string): StallEdition['mails'] {
  const isLeftOut = createIgnore(null);
  const read = (path: string): string | Problem => {
    const found = isPlainFile(content, path) ? readFile(content, { key: 'mail', path }) : notAFile(path);
    return typeof found === 'string' ? found : { ...found, path };
  };
  try {
    const names = statOf(content, 'mails') === undefined ? [] : readdirSync(join(content, 'mails'));
    const paths = names.filter((name) => !isLeftOut(name, false)).map((name) => `mails/${name}`);
    return Object.fromEntries(paths.map((path) => [path, read(path)]));
  } catch (cause) {
    return { mails: unreadable('mails', cause) };
  }
}

function readFiles(content: string, { stall, problems }: Pick<ReadStall, 'stall' | 'problems'>) {
  const files = stallFiles(stall).map((file) => ({ ...file, found: readFile(content, file) }));
  const lost = files.flatMap(({ key, found }) => (typeof found === 'string' ? [] : [{ key, found }]));
  const contentOf = (key: StallFile['key']): string | null => {
    const found = files.find((file) => file.key === key)?.found;
    return typeof found === 'string' ? found : null;
  };
  return {
    isThere: true,
    // If a picture of the introduction is missing, `intro` stays: it is shown without the picture.
    stall: { ...stall, ...Object.fromEntries(lost.map(({ key }) => [key, null])), intro: stall.intro },
    images: Object.fromEntries(
      files.flatMap(({ key, path, found }) =>
        IMAGES.has(key) && typeof found === 'string' ? [[path, found]] : [],
      ),
    ),
    terms: contentOf('terms'),
    privacy: contentOf('privacy'),
    imprint: contentOf('imprint'),
    problems: [...problems, ...lost.map(({ found }) => found)],
  };
}

function readFile(content: string, { key, path }: NamedFile): string | Problem {
  if (!isPlainFile(content, path))
    return fault(
      `missing-${key}`,
      `Cannot find ${quote(path)}, which "${key}" names, as a regular file in the content directory`,
      'Correct the path: it is relative to the content directory, with "/", in the same case, and through no link',
    );
  const chunks: Buffer[] = [];
  let size = 0;
  readChunks(join(content, path), (chunk) => {
    size += chunk.length;
    if (size <= MAX_BYTES) chunks.push(Buffer.from(chunk));
  });
  if (size > MAX_BYTES)
    return fault(
      `large-${key}`,
      `Cannot use ${quote(path)} as "${key}": it has ${size} bytes, more than ${MAX_BYTES}`,
      'Make it smaller',
    );
  const bytes = Buffer.concat(chunks);
  if (IMAGES.has(key)) return bytes.toString('base64');
  if (isUtf8(bytes)) return bytes.toString();
  return fault(
    `${key}-not-text`,
    `Cannot read ${quote(path)} as "${key}": it is not UTF-8`,
    'Save it as UTF-8',
  );
}

const isPlainFile = (content: string, path: string): boolean =>
  prefixesOf(path).every((prefix) => {
    const stat = statOf(content, prefix);
    return (prefix === path ? stat?.isFile() : stat?.isDirectory()) ?? false;
  });

const statOf = (content: string, path: string): Stats | undefined =>
  lstatSync(join(content, path), { throwIfNoEntry: false });

const fault = (code: string, sentence: string, remedy: string): Problem =>
  error(code, 'stall.yaml', sentence, remedy);

const notAFile = (path: string): Problem =>
  fault('link', `Cannot read ${quote(path)}: it is not a regular file`, 'Put the file itself there');
