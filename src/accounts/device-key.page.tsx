import { OfficeRefusal } from '../platform/base/told.ts';
import { officeIn } from '../words/office.ts';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import { readRowId } from '../platform/base/text.ts';
import { redirect } from '../platform/http/answer.ts';
import { readForm } from '../platform/http/body.ts';
import { DataTable, Empty } from '../platform/site/data-table.tsx';
import { Button, CopyLine, Form, QuietLink } from '../platform/site/form.tsx';
import { inAccount, sendPage } from '../platform/site/page.tsx';
import { findAccountById } from './account.ts';
import { createDeviceKey } from './device-key.ts';
import { inOffice } from '../office/office.part.tsx';
import { type ActRoutes, actRoutes } from '../platform/site/act.tsx';
import { ACCOUNTS } from '../platform/site/linked-pages.ts';
import { auditEntry } from '../platform/store/audit-entry.ts';
import { deviceColumns, DEVICES } from './key.part.tsx';
import type { Http } from './stall.ts';

export function showDevices({ stall, tokens, viewOf }: Http, member: SessionPrincipal): Response {
  const view = viewOf(member);
  const { devices: words } = view.words.library;
  return sendPage(
    view,
    { title: words.title, ...inAccount(view.words), lead: words.lead },
    <>
      <DataTable
        caption={words.title}
        columns={{
          ...deviceColumns(view.words),
          '': ({ id, prefix }) => (
            <Form action={DEVICES} label={`${words.end} ${prefix}`}>
              <Button kind="danger" name="end" value={String(id)}>
                {words.end}
                <span class="unseen"> {prefix}</span>
              </Button>
            </Form>
          ),
        }}
        rows={stall.store.listDeviceKeys(member.accountId)}
        empty={<Empty>{words.none}</Empty>}
      />
      {/* No key is made before the address is proven, since the first proof ends all keys. */}
      {stall.config.mail !== null && view.isUnproven() ? (
        <p>
          {words.send.unproven((text) => (
            <a href={`/sign-in/mail?next=${DEVICES}`}>{text}</a>
          ))}
        </p>
      ) : (
        <Form action={DEVICES} label={words.make}>
          <input type="hidden" name="once" value={tokens.issue(member.sessionId)} />
          <Button>{words.make}</Button>
        </Form>
      )}
    </>,
  );
}

/** Ends a device key, or makes one and shows it in the answer. The same form sent again makes no second key. */
export async function changeDevices(http: Http, request: Request, member: SessionPrincipal) {
  const form = await readForm(request);
  const id = readRowId(form.text('end'));
  if (id !== null) await http.stall.store.write.endDeviceKey({ id, accountId: member.accountId });
  if (!http.tokens.take(member.sessionId, form.text('once'))) return redirect(DEVICES);
  const key = await createDeviceKey(http.stall, member);
  const view = http.viewOf(member);
  const { devices: words } = view.words.library;
  return sendPage(
    view,
    { title: words.made, ...inAccount(view.words), lead: words.once },
    <>
      <section class="secret stack">
        <CopyLine text={`${view.origin}/kosync`} label={words.server} />
        <CopyLine text={key} label={words.password} />
      </section>
      <ol>
        {words.steps.map((step) => (
          <li>{step}</li>
        ))}
      </ol>
      <QuietLink href={DEVICES}>{words.title}</QuietLink>
    </>,
  );
}

export const DEVICE_ACTS: readonly ActRoutes<Http>[] = [
  actRoutes({
    ...inOffice(ACCOUNTS),
    path: `${ACCOUNTS}/:id/devices/:key/end`,
    find: ({ http, params: { id = '', key = '' } }) => {
      const { email } = findAccountById(http.stall, id);
      const found = http.stall.store.listDeviceKeys(id).find((one) => String(one.id) === key);
      if (found !== undefined) return { ...found, email };
      throw new OfficeRefusal('not-found', (r) => r.noKey);
    },
    title: ({ device, prefix }, words) =>
      officeIn(words).devices.endTitle({
        device: device ?? officeIn(words).devices.nameByPrefix({ prefix }),
      }),
    stops: ({ email }, words) => officeIn(words).devices.endLead({ email }),
    button: (words) => officeIn(words).devices.endButton,
    act: ({ id, accountId, email, prefix: name }, { http: { stall }, who }) => {
      const audit = auditEntry(who, stall.now(), 'key.revoke', email, { name });
      return stall.store.write.endDeviceKey({ id, accountId, audit });
    },
    back: ({ accountId }) => `${ACCOUNTS}/${accountId}`,
    said: 'key-revoked',
  }),
];
