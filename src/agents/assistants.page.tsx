import { type Connection, disconnectAssistant, findOwnConnection } from '../accounts/connection.ts';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import { readForm } from '../platform/http/body.ts';
import { ConnectorAddress } from '../accounts/connector.part.tsx';
import { When } from '../platform/site/data-table.tsx';
import { Button, Checkbox, Form } from '../platform/site/form.tsx';
import { redirectSaying } from '../platform/site/handle-form.ts';
import { inAccount, sendPage } from '../platform/site/page.tsx';
import { ASSISTANTS } from '../platform/site/linked-pages.ts';
import type { Http } from './stall.ts';

/** `GET /dashboard/assistants`: lists the assistants that read as this reader, and those that ended in the last month. */
export function showAssistants({ stall, viewOf }: Http, member: SessionPrincipal, said: string | null) {
  const view = viewOf(member);
  const { assistants: words } = view.words;
  const all = stall.store.listConnections(member.accountId, stall.now());
  return sendPage(
    view,
    { title: words.list, ...inAccount(view.words), said, lead: all.length === 0 ? words.none : words.lead },
    <>
      {all.map((connection) => (
        <section>
          <h2>{connection.name}</h2>
          <p class="quiet">
            {connection.host} · {words.since} <When at={connection.createdAt} /> · {words.lastUsed}{' '}
            <When at={connection.lastUsedAt} never="–" withTime />
          </p>
          {connection.endedAt === null ? (
            <Form action={`${ASSISTANTS}/${connection.id}`} label={connection.name}>
              <Checkbox label={words.ask} name="asks" checked={connection.asks} />
              <Checkbox label={words.notes} name="notes" checked={connection.notes} />
              <div class="actions">
                <Button kind="quiet">{words.save}</Button>
                <Button kind="danger" name="act" value="end">
                  {words.disconnect}
                </Button>
              </div>
            </Form>
          ) : (
            <p>
              {connection.endedBy === 'reuse' ? words.endedReuse : words.ended}{' '}
              <When at={connection.endedAt} withTime />
            </p>
          )}
        </section>
      ))}
      <ConnectorAddress origin={view.origin} words={words} />
    </>,
  );
}

/** `POST /dashboard/assistants/:id`: changes what an assistant may do, or disconnects it. */
export async function changeAssistant(
  { stall }: Http,
  request: Request,
  member: SessionPrincipal,
  id: string,
): Promise<Response> {
  const form = await readForm(request);
  const connection: Connection = findOwnConnection(stall, member, id);
  if (form.text('act') === 'end') {
    await disconnectAssistant(stall, member, connection);
    return redirectSaying(ASSISTANTS, 'assistant-ended');
  }
  const [asks, notes] = [form.text('asks') === 'on', form.text('notes') === 'on'];
  await stall.store.write.setConnection({ id, asks, notes });
  return redirectSaying(ASSISTANTS, 'assistant-saved');
}
