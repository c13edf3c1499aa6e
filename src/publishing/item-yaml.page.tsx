import { officeOf, useOffice } from '../platform/site/words.tsx';
import { join } from 'node:path';
import { confirmCode } from '../accounts/second-step.ts';
import { parseYaml } from '../platform/base/field.ts';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import type { Problem } from '../platform/base/problem.ts';
import type { Edition } from '../catalog/catalog.ts';
import { readText } from '../catalog/file-scan.ts';
import { isFree } from '../catalog/item.rule.ts';
import { readFormData } from '../platform/http/body.ts';
import { type FormEnd, handleForm, redirectSaying } from '../platform/site/handle-form.ts';
import { Button, Form, QuietLink, TextArea } from '../platform/site/form.tsx';
import { editPath, ITEMS, textPath } from '../platform/site/linked-pages.ts';
import { sendAdminPage } from '../office/office.part.tsx';
import { codeField } from './add-item.page.tsx';
import {
  type FormItem,
  lineOf,
  rowsOf,
  SECTIONS,
  choiceIn,
  sectionsOf,
  shownValue,
  wordsOf,
} from './item-form.ts';
import { findingsOf, flashOf } from './item-form.part.tsx';
import { findManifest } from './push.ts';
import type { Http } from './stall.ts';
import { openUploaded, rewriteUpload } from './upload.ts';

/** The maximum size of a form with an item.yaml, in bytes. */
const MOST_FORM = 2 ** 20;

type TypedYaml = { readonly yaml: string; readonly hash: string };

/** `GET /admin/items/:slug/text`: shows an item's item.yaml as text, with its problems by line. */
export function showText(
  http: Http,
  owner: SessionPrincipal,
  slug: string,
  { said, refused, typed }: FormEnd<TypedYaml>,
): Response {
  const w = officeOf(http, owner);
  const { kind, hash, folder } = openUploaded(http.stall, slug);
  const yaml = typed?.yaml ?? readText(folder, 'item.yaml') ?? '';
  const isLate = refused?.refusal.kind === 'precondition-failed';
  const known = http.stall.report()?.items.find((one) => one.kind === kind && one.slug === slug);
  return sendAdminPage(
    http,
    owner,
    {
      current: ITEMS,
      title: w.itemText.title({ title: findManifest(http.stall, { kind, slug })?.title ?? slug }),
      lead: w.itemText.lead,
      said,
      refused,
      actions: <QuietLink href={editPath(slug)}>{w.itemText.formLink}</QuietLink>,
    },
    <>
      <LineProblems
        yaml={yaml}
        problems={refused === undefined ? (known?.problems ?? []) : findingsOf(refused)}
      />
      <Form action={textPath(slug)} label="item.yaml">
        <input type="hidden" name="hash" value={isLate ? hash : (typed?.hash ?? hash)} />
        <div class="as-text">
          <TextArea
            label="item.yaml"
            name="yaml"
            value={yaml}
            rows={Math.min(40, yaml.split('\n').length + 4)}
          />
        </div>
        {codeField(w, http, owner)}
        <Button>{w.common.save}</Button>
      </Form>
    </>,
  );
}

/** The problems of an item, those of item.yaml with their line, as the command `check` names them. */
function LineProblems({ yaml, problems }: { yaml: string; problems: readonly Problem[] }) {
  const w = useOffice();
  const lines = yaml.split('\n');
  const found = problems.map((problem) => ({ problem, line: lineOf(problem, yaml) }));
  if (found.length === 0) return null;
  return (
    <ul class="problems">
      {found
        .toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0))
        .map(({ line, problem: { severity, path, sentence, remedy } }) => (
          <li class={severity} lang="en">
            {line === null
              ? path !== '' && `${path}: `
              : w.itemText.line({ line, code: <code>{lines[line - 1]}</code>, br: <br /> })}
            {sentence}. {remedy}.
          </li>
        ))}
    </ul>
  );
}

export async function saveText(http: Http, request: Request, owner: SessionPrincipal, slug: string) {
  let typed: TypedYaml | undefined;
  return handleForm(
    async () => {
      const form = await readFormData(request, MOST_FORM);
      const text = (name: string): string => String(form.get(name) ?? '');
      typed = { yaml: text('yaml').replaceAll('\r\n', '\n'), hash: text('hash') };
      const { yaml, hash } = typed;
      const { key: address } = http.budgets.addressOf(request);
      await confirmCode(http.stall, owner, { code: text('code').trim(), address });
      const made = await rewriteUpload(http.stall, owner, slug, { hash, change: () => yaml });
      return redirectSaying(textPath(slug), flashOf(made));
    },
    (refused) => showText(http, owner, slug, { refused, ...(typed && { typed }) }),
  );
}

/** Shows the values of an item that lies in the content directory, and the lines to write there. */
export function showFixedItem(http: Http, owner: SessionPrincipal, { manifest }: Edition): Response {
  const w = officeOf(http, owner);
  const { kind, slug, title, status } = manifest;
  const file = `${kind}s/${slug}/item.yaml`;
  const { entries } = parseYaml(
    readText(join(http.stall.config.content, `${kind}s`, slug), 'item.yaml') ?? '',
    file,
  );
  const item: FormItem = { manifest, entries: entries ?? new Map(), chapters: [] };
  const praise = rowsOf(item.entries.get('praise'), 'quote').map((one) => `${one['quote']} (${one['by']})`);
  return sendAdminPage(
    http,
    owner,
    {
      current: ITEMS,
      title,
      lead: `${kind}s/${slug}, ${w.common.statuses[status]}`,
      actions: <QuietLink href={`/${kind}s/${slug}`}>{w.common.lookAtIt}</QuietLink>,
    },
    <>
      <p class="quiet">
        {w.itemText.editHint({ file: <code>{file}</code>, command: <code>bookstall reindex</code> })}
      </p>
      {sectionsOf().map(([section, fields]) => {
        const values = fields.map(([name, field]) => {
          const value = shownValue(item, name, field);
          const shown = typeof field.control === 'string' ? value : choiceIn(w, value);
          return [wordsOf(w, name).label, shown] as const;
        });
        const all = [
          ...values,
          ...(section === 'people' ? [[w.itemText.praise, praise.join('\n')] as const] : []),
        ];
        const shown = all.filter(([, value]) => value !== '');
        if (shown.length === 0) return null;
        return (
          <section>
            <h2>{w.itemForm.sections[section]}</h2>
            <dl class="settings">
              {shown.map(([label, value]) => (
                <div>
                  <dt>{label}</dt>
                  <dd dir="auto">{value}</dd>
                </div>
              ))}
            </dl>
            {section === 'sale' && <SaleLines item={item} />}
          </section>
        );
      })}
    </>,
  );
}

/** The lines of item.yaml that set a price and a sale: those that are there, and an example of each that is not. */
function SaleLines({ item: { manifest, entries } }: { item: FormItem }) {
  const w = useOffice();
  if (manifest === null) return null;
  const price = shownValue({ manifest, entries, chapters: [] }, 'price', SECTIONS.sale.price!);
  const paid = isFree(manifest) ? '19.00' : price || '19.00';
  const ids = Object.entries(manifest.sell ?? {}).flatMap(([provider, all]) =>
    Array.isArray(all) && all.length > 0 ? `${provider}: [${all.join(', ')}]` : [],
  );
  const lines = [
    `price: ${paid}`,
    `currency: ${manifest.currency}`,
    `checkoutUrl: ${manifest.checkoutUrl ?? 'https://buy.stripe.com/…'}`,
    `sell: {${ids.join(', ') || 'stripe: [plink_…]'}}`,
  ];
  return (
    <>
      <p>{w.itemText.sellHint}</p>
      <pre tabIndex={0}>
        <code>{lines.join('\n')}</code>
      </pre>
    </>
  );
}
