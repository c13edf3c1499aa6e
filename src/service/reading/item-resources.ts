import type { AgentPrincipal } from '../../access/principal.ts';
import { type Catalog, findBySlug } from '../../catalog/catalog.ts';
import type { Edition, EditionFile } from '../../catalog/edition.ts';
import { contentSlice } from '../../catalog/file-content.ts';
import type { FileSlice } from '../../catalog/file-pieces.ts';
import { isFree, type ItemKind } from '../../item/item.ts';
import { Refusal } from '../../refusal.ts';
import type { Access } from '../access.ts';
import type { Artefacts } from '../delivery/artefacts.ts';
import { listTexts, titleAt } from './contents.ts';

/** A text of an item by its place: kind, slug and path. */
type ItemResource = { readonly edition: Edition; readonly file: EditionFile; readonly title: string };

type ResourcePage = { readonly resources: readonly ItemResource[]; readonly next: string | null };

/** A file, and its content as a string in JSON without quotation marks: text, or base64 for other files. */
export type ResourceContent = {
  readonly edition: Edition;
  readonly file: EditionFile;
  readonly content: FileSlice;
};

const PAGE = 100;
/** The longest file that is sent in one piece, in bytes. */
const MOST = 1024 * 1024;
const CURSOR = /^([a-z0-9-]+)\.(\d{1,6})$/;

type Dependencies = {
  readonly catalog: () => Catalog;
  readonly access: Access;
  readonly artefacts: Pick<Artefacts, 'open'>;
  readonly listHeld: (principal: AgentPrincipal) => Promise<readonly Edition[]>;
};

/** The files of items as resources: those in reading order are listed, by slug, and the others can be read. */
export function createItemResources({ catalog, access, artefacts, listHeld }: Dependencies) {
  return {
    /** One page of the texts of free items and of those that the principal holds. Refuses a cursor that no page gave. */
    async list(principal: AgentPrincipal, cursor: string | null): Promise<ResourcePage> {
      const from = cursor === null ? { slug: '', at: 0 } : readCursor(cursor);
      const held = new Set(await listHeld(principal));
      const resources: ItemResource[] = [];
      for (const edition of catalog().editions) {
        const { slug, status } = edition.manifest;
        if (slug < from.slug || !(held.has(edition) || (status === 'published' && isFree(edition.manifest))))
          continue;
        const files = new Map(edition.files.map((file) => [file.path, file]));
        const texts = listTexts(edition);
        for (let at = slug === from.slug ? from.at : 0; at < texts.length; at++) {
          if (resources.length === PAGE) return { resources, next: `${slug}.${at}` };
          const path = texts[at]?.path ?? '';
          const file = files.get(path);
          if (file !== undefined) resources.push({ edition, file, title: titleAt(edition, path) });
        }
      }
      return { resources, next: null };
    },
    /**
     * One file. Refuses not-found for a file that does not exist or that the principal may not read, and payload-too-
     * large.
     */
    async read(
      principal: AgentPrincipal,
      kind: ItemKind,
      slug: string,
      path: string,
    ): Promise<ResourceContent> {
      const edition = findBySlug(catalog(), slug, kind);
      const file = edition?.files.find((one) => one.path === path);
      if (edition === undefined || !(await mayRead(access, principal, edition, path)) || file === undefined)
        throw noResource();
      if (file.size > MOST) throw tooLong(edition, file);
      const artefact = await artefacts.open(edition, 'files');
      return { edition, file, content: { file: artefact.file, ...contentSlice(file) } };
    },
  };
}

async function mayRead(access: Access, principal: AgentPrincipal, edition: Edition, path: string) {
  return access(principal, edition, 'read', path).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Refusal) return false;
      throw error;
    },
  );
}

/** The same sentence for missing files and for those that may not be read. */
export function noResource(): Refusal {
  return new Refusal(
    'not-found',
    'Cannot read this resource: it is not there, or your key does not open it; resources/list names those that you may read',
  );
}

function tooLong({ manifest: { slug } }: Edition, { path, size, text }: EditionFile): Refusal {
  return new Refusal(
    'payload-too-large',
    `Cannot read this resource in one piece: it has ${size} bytes, over ${MOST}; ${
      text
        ? `read it in parts with the tool read_chapter, item "${slug}" and path ${JSON.stringify(path)}`
        : `the tool read_chapter reads texts; install "${slug}" to have this file`
    }`,
  );
}

function readCursor(cursor: string): { readonly slug: string; readonly at: number } {
  const [, slug, at] = CURSOR.exec(cursor) ?? [];
  if (slug === undefined || at === undefined)
    throw new Refusal(
      'invalid-request',
      'Cannot go on from this cursor: send "nextCursor" of the page before as it is, or none for the first page',
    );
  return { slug, at: Number(at) };
}
