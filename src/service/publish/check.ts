import type { CompilePool } from '../../catalog/compile-pool.ts';
import { listOtherTexts } from '../../catalog/reading-order.ts';
import { isError, type ItemFolder, listItemFolders } from '../../catalog/scan.ts';
import { readStall } from '../../catalog/stall-edition.ts';
import { type BookSkillForm, bookSkillForm } from '../../item/book-skill.ts';
import type { ItemKind, ItemStatus } from '../../item/item.ts';
import type { Limits } from '../../item/limit.ts';
import { formatPrice } from '../../item/price.ts';
import { type Problem, quote, warning } from '../../item/problem.ts';
import { messageOf, Refusal } from '../../refusal.ts';
import { findFormerConflicts, findOfferProblems, type JudgedBundle } from './conflicts.ts';
import { didYouMean } from '../../item/field.ts';

/**
 * The result of `check` for one item's folder: every problem, and the files that would be distributed. stall.yaml is an
 * entry of its own, of the kind "stall" and without files.
 */
export type CheckedEntry = {
  readonly kind: ItemKind | 'stall';
  readonly slug: string;
  readonly files: readonly {
    readonly path: string;
    readonly size: number;
    readonly sha256: string;
    readonly executable: boolean;
  }[];
  readonly problems: readonly Problem[];
  /** Paths of a book's texts that are not chapters, and so answer no questions. */
  readonly otherTexts: readonly string[];
  /** How agents get a book as a skill; null for other entries. */
  readonly skillForm: BookSkillForm | null;
  /** The price as readers see it; null if the item has errors, and of other entries. */
  readonly price: string | null;
};

/** Reads a content directory and names every problem of stall.yaml and of every item; compiles and writes nothing. */
export async function checkContent(
  content: string,
  limits: Limits,
  pool: CompilePool,
): Promise<readonly CheckedEntry[]> {
  const folders = listFolders(content);
  if (folders === null)
    throw new Refusal(
      'not-found',
      `Cannot find the content directory "${content}": name another with --content, or make one with "bookstall init"`,
    );
  const stall = readStall(content);
  const { defaults } = stall.stall;
  const items = await Promise.all(
    folders.map(async (folder) => {
      const { manifest, files, problems } = await pool.inspect({ ...folder, defaults }, limits);
      return {
        kind: folder.kind,
        slug: folder.slug,
        id: manifest?.id ?? null,
        formerly: manifest?.formerly ?? [],
        sell: manifest?.sell ?? null,
        status: manifest?.status ?? null,
        isHeld: false,
        files,
        problems,
        otherTexts: manifest === null ? [] : listOtherTexts(folder.folder, manifest, files),
        skillForm: folder.kind === 'book' ? bookSkillForm(files) : null,
        price: manifest === null ? null : formatPrice(manifest.unitAmountCents, manifest.currency),
      };
    }),
  );
  const offers = findOfferProblems(items, stall.stall.bundles);
  const renamed = findFormerConflicts(items, stall.stall.bundles);
  const checked = items.map((item) => {
    const conflicts = [offers.slugs.get(item), offers.ids.get(item)].filter((one) => one !== undefined);
    const more = [...conflicts, ...(renamed.get(item) ?? [])];
    const { kind, slug, files, problems, otherTexts, skillForm, price } = item;
    return {
      kind,
      slug,
      files: files.map(describe),
      problems: [...problems, ...more],
      otherTexts,
      skillForm,
      price,
    };
  });
  return [...checkStall(stall, items, offers.bundles), ...checked];
}

function listFolders(content: string): readonly ItemFolder[] | null {
  try {
    return listItemFolders(content);
  } catch (cause) {
    throw new Refusal(
      'not-found',
      `Cannot read the content directory "${content}": ${messageOf(cause)}; correct its permissions and links`,
    );
  }
}

function checkStall(
  { isThere, stall, problems: found }: ReturnType<typeof readStall>,
  items: readonly FeaturableItem[],
  bundles: readonly JudgedBundle[],
): readonly CheckedEntry[] {
  const bundled = bundles.flatMap(({ problems }) => problems);
  const problems = [...found, ...findUnknownFeatured(stall.featured, items), ...bundled];
  const empty = { files: [], otherTexts: [], skillForm: null, price: null };
  return isThere ? [{ kind: 'stall', slug: 'stall.yaml', problems, ...empty }] : [];
}

/** Whether an item could not be served, or stall.yaml has an error. */
export function isRefused({ problems }: CheckedEntry): boolean {
  return problems.some(isError);
}

function describe({ path, size, sha256, executable }: CheckedEntry['files'][number]) {
  return { path, size, sha256, executable };
}

/** An item that stall.yaml may feature; `status` is null if it has an error. */
type FeaturableItem = { readonly slug: string; readonly status: ItemStatus | null };

/** Warns of the slugs that stall.yaml features and the window cannot show. */
function findUnknownFeatured(
  featured: readonly string[],
  items: readonly FeaturableItem[],
): readonly Problem[] {
  const statuses = new Map(items.map(({ slug, status }) => [slug, status]));
  return featured.flatMap((slug) => {
    const status = statuses.get(slug);
    if (status === undefined) {
      const remedy = didYouMean(
        slug,
        [...statuses.keys()],
        'Name the folder of a book or skill, or remove it',
      );
      return [
        warning(
          'unknown-featured',
          'stall.yaml',
          `Cannot feature ${quote(slug)}: no item has this slug`,
          remedy,
        ),
      ];
    }
    if (status === null || status === 'published') return [];
    const sentence = `Cannot feature ${quote(slug)}: it is ${status === 'draft' ? 'a draft' : 'archived'}`;
    return [warning('hidden-featured', 'stall.yaml', sentence, 'Publish it, or remove it from "featured"')];
  });
}
