import { officeOf } from '../platform/site/words.tsx';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import { csvLine, decodeText } from '../platform/base/csv-rows.ts';
import { countUnknown, EXPORTING, importOrders, type LeftRow, readSaleList } from './order-import.ts';
import { readFormData } from '../platform/http/body.ts';
import type { Http } from './stall.ts';
import { handleForm, type Refused } from '../platform/site/handle-form.ts';
import { DataTable } from '../platform/site/data-table.tsx';
import { FileField, Button, Checkbox, Field, Select, TextArea } from '../platform/site/form.tsx';
import { sendAdminPage } from '../office/office.part.tsx';

const IMPORT = '/admin/orders/import';

/** The maximum size of the form, in bytes. The server accepts a little more, so that this page can refuse it. */
export const LARGEST_IMPORT = 1000 * 1024;

const SHOWN = 200;
const LISTED = 5_000;

const toLine = ({ line, buyer, reason }: LeftRow): string => csvLine([line, buyer, reason]);

const MOST_ASKED = 100;

const PRODUCT = 'product:';

/**
 * `POST /admin/orders/import`: shows the orders that a list of sales would add, asks for facts that are missing, and, once
 * confirmed, imports them.
 */
export async function importSales(http: Http, request: Request, owner: SessionPrincipal): Promise<Response> {
  let data = new FormData();
  const show = (refused?: Refused): Promise<Response> => showOrderImport(http, owner, data, refused);
  const read = async (): Promise<Response> => {
    data = await readFormData(request, LARGEST_IMPORT);
    return http.stall.importInTurn('', () => handleForm(show, show));
  };
  return handleForm(read, show);
}

export async function showOrderImport(
  http: Http,
  owner: SessionPrincipal,
  data: FormData = new FormData(),
  refused?: Refused,
): Promise<Response> {
  const w = officeOf(http, owner);
  const { editions, bundles } = http.stall.catalog();
  const text = (name: string): string => String(data.get(name) ?? '');
  const file = data.get('file');
  const csv = file instanceof Blob && file.size > 0 ? decodeText(await file.bytes()) : text('csv');
  const list = await readSaleList(refused === undefined ? csv : '');
  const chosen = list.header.map((name, n) => [text(`column${n}`), name] as const);
  const columns = Object.fromEntries(chosen.filter(([column]) => column !== ''));
  const names = [...data.keys()].filter((name) => name.startsWith(PRODUCT));
  const products = new Map(names.map((name) => [name.slice(PRODUCT.length), text(name)]));
  const sold = [...editions.map(({ manifest }) => manifest), ...bundles];
  const [isMailed, isDry, currency] = [text('mail') === 'on', text('act') !== 'import', text('currency')];
  const choices = { columns, products, currency, sold, isMailed, isDry };
  const isReady = list.format !== null || 'email' in columns;
  const done = isReady ? await importOrders(http.stall, owner, list, choices) : null;
  const { made, known, left } = done ?? { made: 0, known: 0, left: [] };
  const unknown = countUnknown(left);
  const chosenProducts = [...products].filter(([, slug]) => slug !== '').map(([name]) => name);
  const asked = new Set([...chosenProducts, ...[...unknown.keys()].slice(0, MOST_ASKED)]);
  const counts = w.orderImport.done({
    isDry,
    made: w.counts.orders({ count: made }),
    known,
    left: w.counts.rows({ count: left.length }),
  });
  const isSent = data.has('csv') && refused === undefined;
  const forList = isSent ? w.orderImport.noList : null;
  const ask = list.header.length === 0 ? forList : w.orderImport.noColumns;
  return sendAdminPage(
    http,
    owner,
    {
      current: IMPORT,
      title: w.orderImport.title,
      lead: w.orderImport.lead({ list: w.formats.list(EXPORTING) }),
      said: done === null ? ask : counts,
      refused,
    },
    <>
      <form class="stack" action={IMPORT} method="post" encType="multipart/form-data">
        <FileField
          label={w.orderImport.file}
          hint={w.orderImport.fileHint}
          most={LARGEST_IMPORT}
          isSent={refused !== undefined}
        />
        <details open={refused !== undefined}>
          <summary>{w.orderImport.listTitle}</summary>
          <TextArea label={w.orderImport.list} name="csv" value={csv} />
        </details>
        {list.format === null &&
          chosen.map(([column, name], n) => (
            <Select
              label={w.orderImport.column({ name })}
              name={`column${n}`}
              any={w.orderImport.noColumn}
              options={Object.entries(w.orderImport.columns)}
              value={column}
              hint={list.rows
                .slice(0, 3)
                .map(({ record }) => record[n]?.slice(0, 40))
                .join(' · ')}
            />
          ))}
        {[...asked].map((name) => (
          <Select
            label={name === '' ? w.orderImport.noProduct : w.orderImport.product({ name })}
            name={`${PRODUCT}${name}`}
            any={w.orderImport.leaveOut}
            options={sold.map(({ slug, title }) => [slug, title])}
            value={products.get(name) ?? ''}
            hint={
              unknown.has(name)
                ? w.orderImport.productHint({ count: w.counts.rows({ count: unknown.get(name) ?? 0 }) })
                : undefined
            }
          />
        ))}
        {unknown.size > MOST_ASKED && (
          <p>{w.orderImport.moreProducts({ count: unknown.size - MOST_ASKED })}</p>
        )}
        {list.format === null && list.header.length > 0 && (
          <Field
            label={w.orderImport.currency}
            name="currency"
            value={currency}
            hint={w.orderImport.currencyHint}
          />
        )}
        {done !== null && <Checkbox label={w.orderImport.mail} name="mail" checked={isMailed} />}
        <div class="actions">
          <Button kind={done === null ? 'primary' : 'quiet'}>
            {done === null ? w.orderImport.readButton : w.orderImport.againButton}
          </Button>
          {isDry && made > 0 && (
            <Button name="act" value="import">
              {w.orderImport.importButton({ made: w.counts.orders({ count: made }) })}
            </Button>
          )}
        </div>
      </form>
      <DataTable
        caption={w.orderImport.caption({ shown: left.length > SHOWN ? SHOWN : null })}
        columns={{
          [w.orderImport.line]: ({ line }) => line,
          [w.common.buyer]: ({ buyer }) => buyer,
          [w.orderImport.why]: ({ reason }) => <span lang="en">{reason}</span>,
        }}
        rows={left.slice(0, SHOWN)}
      />
      {left.length > 0 && (
        <details>
          <summary>
            {left.length > LISTED ? w.orderImport.firstLeft({ listed: LISTED }) : w.orderImport.allLeft}
          </summary>
          <TextArea
            label={w.orderImport.leftRows}
            name="left"
            value={left.slice(0, LISTED).map(toLine).join('')}
            isFixed
          />
        </details>
      )}
    </>,
  );
}
