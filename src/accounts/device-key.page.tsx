import type { SessionPrincipal } from '../platform/base/principal.ts';
import { readRowId } from '../platform/base/text.ts';
import { redirect } from '../platform/http/answer.ts';
import { readForm } from '../platform/http/body.ts';
import { DataTable, Empty, When } from '../platform/site/data-table.tsx';
import { Button, CopyLine, Form, QuietLink } from '../platform/site/form.tsx';
import { inAccount, sendPage } from '../platform/site/page.tsx';
import { createDeviceKey, type DeviceKey } from './device-key.ts';
import { DEVICES } from './key.part.tsx';
import type { Http } from './stall.ts';

/** Lists the device keys of a reader, with a form that makes another. */
export function showDevices({ stall, tokens, viewOf }: Http, member: SessionPrincipal): Response {
  const view = viewOf(member);
  const { devices: words, keys } = view.words.library;
  return sendPage(
    view,
    { title: words.title, ...inAccount(view.words), lead: words.lead },
    <>
      <DataTable
        caption={words.title}
        columns={{
          [words.device]: ({ device }: DeviceKey) => device ?? '–',
          [keys.key]: ({ prefix }) => <code class="brief">{prefix}…</code>,
          [keys.created]: ({ createdAt }) => <When at={createdAt} />,
          [keys.used]: ({ lastUsedAt }) => <When at={lastUsedAt} never={keys.unused} withTime />,
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
      <Form action={DEVICES} label={words.make}>
        <input type="hidden" name="once" value={tokens.issue(member.sessionId)} />
        <Button>{words.make}</Button>
      </Form>
    </>,
  );
}

/** Ends a device key, or makes one and shows it in the answer. Sending the same form again makes no second key. */
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
