// Publishing in the browser: files uploaded in the office become pushed items, which are edited and replaced there.
import { MANUSCRIPT_ENDINGS } from './manuscript/manuscript.ts';
import { OfficeRefusal } from '../platform/base/told.ts';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type SessionPrincipal, ITEM_KINDS } from '../platform/base/principal.ts';
import { findPushed, type ItemName, type PushedItem } from './pushed.ts';
import { setValues, type YamlValues } from '../catalog/manifest.rule.ts';
import { formatType, isSlug, SLUG_IN_WORDS, unsafeName } from '../catalog/path.rule.ts';
import { pictureOf } from '../catalog/picture.rule.ts';
import { quote } from '../platform/base/problem.ts';
import { FieldRefusal } from '../platform/site/field-refusal.ts';
import { Refusal } from '../platform/base/refusal.ts';
import type { Stall } from './stall.ts';
import { inStaging, placePushed, type Pushed } from './push.ts';
import { MOST_PIXELS } from '../catalog/limit.rule.ts';

type Sent = { readonly name: string; readonly path: string };

/**
 * A form that is being uploaded, of `size` bytes (0 if unknown). `receive` stores its file in a folder, and returns its
 * fields.
 */
type Arriving<Words> = {
  readonly size: number;
  readonly receive: (folder: string) => Promise<Words & { readonly file: Sent | null }>;
};

/** The maximum number of copies of an upload on the disk while it is imported and compiled. */
const COPIES_OF_UPLOAD = 6;

/** The endings of files that can be uploaded, for a form's `accept`: of a manuscript, or of the zip of a folder. */
export const UPLOADED_ENDINGS: string = [...MANUSCRIPT_ENDINGS, '.zip'].join(',');

export type Uploaded = ItemName & Pick<PushedItem, 'hash' | 'folder'>;

function findUploaded({ config: { data } }: Stall, slug: string): Uploaded | null {
  for (const kind of isSlug(slug) ? ITEM_KINDS : []) {
    const found = findPushed(data, { kind, slug });
    if (found !== null) return { kind, slug, hash: found.hash, folder: found.folder };
  }
  return null;
}

/** Finds an item that was uploaded or pushed. Refuses any other as not-found, even if it is in the content directory. */
export function openUploaded(stall: Stall, slug: string): Uploaded {
  const found = findUploaded(stall, slug);
  if (found !== null) return found;
  throw new OfficeRefusal('not-found', (r) => r.itemNotKept({ slug: quote(slug.slice(0, 80)) }));
}

/**
 * Imports a manuscript as drafts of items. Refuses what an import refuses, a slug that is taken, and, with
 * `FoundErrors`, an item with errors.
 */
export async function addUpload(
  stall: Stall,
  by: SessionPrincipal,
  arriving: Arriving<{ readonly slug: string | null }>,
) {
  return inStaging(stall, arriving.size * COPIES_OF_UPLOAD, async (work) => {
    const { file, slug } = await arriving.receive(work);
    if (slug !== null && !isSlug(slug))
      throw new OfficeRefusal('invalid-request', (r) =>
        r.notASlug({ slug: quote(slug), slugInWords: SLUG_IN_WORDS }),
      );
    const made = await importSent(stall, work, file, { slug, isUpdate: false });
    const taken = made.items.find((item) => findUploaded(stall, item.slug) !== null);
    if (taken !== undefined)
      throw new OfficeRefusal('invalid-request', (r) => r.itemIsThere({ taken: quote(taken.slug) }));
    const pushed: Pushed[] = [];
    for (const { kind, slug: name, folder } of made.items)
      pushed.push(await place(stall, by, { name: { kind, slug: name }, folder, ifMatch: null }));
    return { ...made, pushed };
  });
}

/**
 * Imports a newer manuscript into an item; in its item.yaml, only `values` change. Refuses what `addUpload` refuses, and an
 * item that somebody else has changed since `hash`.
 */
export async function replaceUpload(
  stall: Stall,
  by: SessionPrincipal,
  slug: string,
  arriving: Arriving<{ readonly values: YamlValues; readonly hash: string }>,
) {
  return inStaging(stall, arriving.size * COPIES_OF_UPLOAD, async (work) => {
    const { file, values, hash } = await arriving.receive(work);
    const { kind, folder: present } = openUploaded(stall, slug);
    const folder = join(work, 'content', `${kind}s`, slug);
    await cp(present, folder, { recursive: true });
    const made = await importSent(stall, work, file, { slug, isUpdate: true });
    await rewriteYaml(folder, (yaml) => setValues(yaml, values));
    const pushed = await place(stall, by, { name: { kind, slug }, folder, ifMatch: hash });
    return { ...made, pushed: [pushed] };
  });
}

/** A change of an item's folder, whose hash was `hash`. `apply` gets a copy of the folder, and the uploaded file or null. */
type Change = {
  readonly hash: string;
  readonly apply: (folder: string, file: Sent | null) => Promise<void>;
};

/**
 * Changes a copy of an item's folder, and publishes it. Refuses if somebody else has changed the item since, or if it would
 * have errors.
 */
export async function editUpload(
  stall: Stall,
  by: SessionPrincipal,
  slug: string,
  arriving: Arriving<Change>,
): Promise<Pushed> {
  return inStaging(stall, arriving.size * COPIES_OF_UPLOAD, async (work) => {
    const { file, hash, apply } = await arriving.receive(work);
    const { kind, folder: present } = openUploaded(stall, slug);
    const folder = join(work, 'item');
    await cp(present, folder, { recursive: true });
    await apply(folder, file);
    return place(stall, by, { name: { kind, slug }, folder, ifMatch: hash });
  });
}

/**
 * Changes an item's item.yaml by `change`, which gets its text. Refuses if somebody else has changed the item since `hash`,
 * or if the item would have errors.
 */
export const rewriteUpload = (
  stall: Stall,
  by: SessionPrincipal,
  slug: string,
  { hash, change }: { readonly hash: string; readonly change: (yaml: string) => string },
): Promise<Pushed> =>
  editUpload(stall, by, slug, {
    size: 0,
    receive: async () => ({ hash, file: null, apply: (folder) => rewriteYaml(folder, change) }),
  });

export async function rewriteYaml(folder: string, change: (yaml: string) => string): Promise<void> {
  const file = join(folder, 'item.yaml');
  await writeFile(file, change(await readFile(file, 'utf8')));
}

/**
 * Publishes a folder in the editor's name. Refuses as `placePushed` does, but tells of a change by somebody else in the
 * form's words.
 */
async function place(
  stall: Stall,
  by: SessionPrincipal,
  change: { readonly name: ItemName; readonly folder: string; readonly ifMatch: string | null },
) {
  const { name, folder, ifMatch } = change;
  const opens = (slug: string): boolean => by.isOwner || findUploaded(stall, slug) !== null;
  const sender = { actor: by, setsTerms: by.isOwner, opens, details: {} };
  return placePushed(stall, sender, { name, staged: folder, expected: { ifMatch, isDryRun: false } }).catch(
    (error: unknown) => {
      if (!(error instanceof Refusal) || error.kind !== 'precondition-failed') throw error;
      throw new OfficeRefusal('precondition-failed', (r) => r.itemChanged);
    },
  );
}

async function importSent(
  stall: Stall,
  work: string,
  sent: Sent | null,
  { slug, isUpdate }: { readonly slug: string | null; readonly isUpdate: boolean },
) {
  if (sent === null) throw new OfficeRefusal('invalid-request', (r) => r.noImportFile);
  const name = sent.name.replaceAll('\\', '/').split('/').at(-1) ?? '';
  const reason = unsafeName(name)?.reason;
  if (reason !== undefined) throw Refusal.invalid(`Cannot import ${quote(name)}: ${reason}; rename the file`);
  const [folder, content] = [join(work, 'upload'), join(work, 'content')];
  await mkdir(folder);
  await mkdir(content, { recursive: true });
  const stallYaml = join(stall.config.content, 'stall.yaml');
  // stall.yaml is copied too, since its defaults decide whether a draft lacks anything.
  if (existsSync(stallYaml)) await cp(stallYaml, join(content, 'stall.yaml'));
  await rename(sent.path, join(folder, name));
  const job = {
    task: 'import',
    file: join(folder, name),
    content,
    slug,
    isUpdate,
    limits: stall.config.limits,
  } as const;
  const made = await stall.importUpload(job);
  if ('refused' in made) throw Refusal.invalid(made.refused);
  return made;
}

/** Stores an image as the item's cover, in place of earlier uploaded covers, and returns its path. */
export async function addCover(folder: string, { name, path }: Sent): Promise<string> {
  const ending = /\.\w+$/.exec(name)?.[0].toLowerCase() ?? '';
  const cover = `cover${ending}`;
  const image = new Bun.Image(await readFile(path), { maxPixels: MOST_PIXELS });
  const isImage = await image.metadata().then(
    () => true,
    () => false,
  );
  if (pictureOf(cover)?.page !== 'image' || !isImage)
    throw new FieldRefusal(
      'cover',
      new OfficeRefusal('invalid-request', (r) => r.notACover({ name: quote(name) })),
    );
  await removeCovers(folder);
  await rename(path, join(folder, cover));
  return cover;
}

export async function removeCovers(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (/^cover\.\w+$/.test(name) && pictureOf(name)?.page === 'image') await rm(join(folder, name));
}

/**
 * Stores a file for readers beside an item's texts, and returns its name. Replaces a file of the same name only if
 * `mayReplace` accepts it.
 */
export async function addFormat(folder: string, sent: Sent, mayReplace: (name: string) => boolean) {
  const name = sent.name.replaceAll('\\', '/').split('/').at(-1) ?? '';
  const reason = unsafeName(name)?.reason;
  if (reason !== undefined) throw Refusal.invalid(`Cannot attach ${quote(name)}: ${reason}; rename the file`);
  if (formatType(name) === null)
    throw new OfficeRefusal('invalid-request', (r) => r.notAnAttachment({ name: quote(name) }));
  if (existsSync(join(folder, name)) && !mayReplace(name))
    throw new OfficeRefusal('invalid-request', (r) => r.attachmentIsThere({ name: quote(name) }));
  await rename(sent.path, join(folder, name));
  return name;
}
