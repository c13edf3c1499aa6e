import type { SessionPrincipal } from '../platform/base/principal.ts';
import { Refusal } from '../platform/base/refusal.ts';
import { grantToGroup, listChoices, revokeFromGroup, warnOfEveryone } from './grant.ts';
import {
  LONGEST_NAME,
  addGroup,
  describeGroup,
  findGroup,
  joinGroup,
  leaveGroup,
  listLosers,
  removeGroup,
} from './group.ts';
import { EVERYONE } from './group.sql.ts';
import { counted } from '../platform/base/text.ts';
import { readForm } from '../platform/http/body.ts';
import type { Http } from './stall.ts';
import { type FormEnd, handleForm, redirectSaying, type Refused } from '../platform/site/handle-form.ts';
import { DataTable, Empty, When } from '../platform/site/data-table.tsx';
import {
  Act,
  Button,
  Checkbox,
  DangerLink,
  Field,
  Form,
  More,
  QuietLink,
  TextArea,
} from '../platform/site/form.tsx';
import { ItemAndDates, WAITS } from './grant.part.tsx';
import { inOffice, sendAdminPage } from '../office/office.part.tsx';
import { type ActRoutes, actRoutes, type Asking as AskingOf } from '../platform/site/act.tsx';
import { GROUPS } from '../platform/site/paths.ts';

const groupPath = (name: string): string => `${GROUPS}/${name}`;

export function showGroups(
  http: Http,
  owner: SessionPrincipal,
  { said, refused, typed = '' }: FormEnd<string>,
): Response {
  return sendAdminPage(
    http,
    owner,
    {
      current: GROUPS,
      title: 'Groups',
      lead: 'What a group is given, each of its members has, until they leave it.',
      said,
      refused,
    },
    <>
      <Form action={GROUPS} label="Add a group">
        <div class="search">
          <Field
            label="Name"
            name="name"
            value={typed}
            hint="Small letters, digits and “-”, such as reviewers"
            error={refused?.refusal.message}
            autocomplete="off"
            maxLength={LONGEST_NAME}
            required
          />
          <Button>Add group</Button>
        </div>
      </Form>
      <DataTable
        caption="Groups"
        columns={{
          Name: ({ name }) => <a href={groupPath(name)}>{name}</a>,
          Members: ({ members }) => members,
          Items: ({ items }) => items,
        }}
        rows={http.stall.store.listGroups()}
        empty={null}
      />
    </>,
  );
}

export async function makeGroup(http: Http, request: Request, owner: SessionPrincipal): Promise<Response> {
  const typed = (await readForm(request)).text('name');
  return handleForm(
    async () => redirectSaying(groupPath((await addGroup(http.stall, owner, typed)).name), 'group-added'),
    (refused) => showGroups(http, owner, { refused, typed }),
  );
}

type TypedGroup = Readonly<Record<'emails' | 'slug' | 'from' | 'until', string>>;

const BLANK: TypedGroup = { emails: '', slug: '', from: '', until: '' };

export function showGroup(
  http: Http,
  owner: SessionPrincipal,
  name: string,
  { said, refused, typed = BLANK }: FormEnd<TypedGroup>,
): Response {
  const { members, items, count } = describeGroup(http.stall, name);
  const path = groupPath(name);
  const isEveryone = name === EVERYONE;
  const choices = listChoices(http.stall);
  return sendAdminPage(
    http,
    owner,
    {
      current: GROUPS,
      title: name,
      lead: isEveryone
        ? `Every enabled account is in it, later ones too: ${count} now. Who made an account for themselves counts once the address is confirmed.`
        : `${counted(count, 'member')}, ${counted(items.length, 'item')}`,
      said,
      refused,
      actions: <QuietLink href={GROUPS}>All groups</QuietLink>,
    },
    <>
      <section>
        <h2>Items</h2>
        <Act name="Give an item" isOpen={refused !== undefined && typed.slug !== ''}>
          <Form action={`${path}/grant`} label="Give an item">
            <ItemAndDates items={choices} typed={typed} />
            {isEveryone && (
              <Checkbox
                label="Give private items too, which anyone who can make an account here will then have"
                name="sure"
                checked={false}
              />
            )}
            <Button>Give item</Button>
          </Form>
        </Act>
        <DataTable
          caption={`Items of ${name}`}
          columns={{
            Item: ({ kind, slug }) => <a href={`/${kind}s/${slug}`}>{slug}</a>,
            Given: ({ grantedAt }) => <When at={grantedAt} />,
            From: ({ from }) => <When at={from} />,
            Until: ({ until }) => <When at={until} never="no end" />,
            '': ({ slug }) => (
              <QuietLink href={`${path}/revoke?${new URLSearchParams({ slug })}`}>Take back…</QuietLink>
            ),
          }}
          rows={items}
          empty={<Empty>No items yet. What you give here, every member has.</Empty>}
        />
      </section>
      {!isEveryone && (
        <>
          <section>
            <h2>Members</h2>
            <Form action={`${path}/join`} label="Add members">
              <TextArea
                label="E-mail addresses of accounts"
                name="emails"
                value={typed.emails}
                rows={3}
                hint="One a line, or with blanks between"
              />
              <Button kind="quiet">Add members</Button>
            </Form>
            <DataTable
              caption={`Members of ${name}`}
              columns={{
                'E-mail': ({ email, waits }) => (
                  <>
                    {email} {waits === 1 && <span class="badge">{WAITS}</span>}
                  </>
                ),
                Joined: ({ joinedAt }) => <When at={joinedAt} />,
                '': ({ email }) => (
                  <QuietLink href={`${path}/leave?${new URLSearchParams({ email })}`}>Take out…</QuietLink>
                ),
              }}
              rows={members}
              empty={<Empty>No members yet.</Empty>}
            />
          </section>
          <More
            acts={[
              [
                <DangerLink href={`${path}/remove`}>Remove this group…</DangerLink>,
                'Its members lose what it gives; it says who.',
              ],
            ]}
          />
        </>
      )}
    </>,
  );
}

export async function addMembers(http: Http, request: Request, owner: SessionPrincipal, name: string) {
  const typed = { ...BLANK, ...(await readForm(request)).trimmed('emails') };
  return handleForm(
    async () => {
      await joinGroup(http.stall, owner, name, typed.emails.split(/[\s,;]+/).filter(Boolean));
      return redirectSaying(groupPath(name), 'group-joined');
    },
    (refused) => showGroup(http, owner, name, { refused, typed }),
  );
}

/** `POST /admin/groups/:name/grant`: grants an item to a group. A checkbox must confirm that everyone gets a private item. */
export async function giveToGroup(http: Http, request: Request, owner: SessionPrincipal, name: string) {
  const { stall } = http;
  const form = await readForm(request);
  const typed = { ...BLANK, ...form.trimmed('slug', 'from', 'until') };
  return handleForm(
    async () => {
      const { slug, from, until } = typed;
      const isOpen = stall.manifest().accounts === 'open';
      const warning =
        form.text('sure') === '' ? warnOfEveryone(stall, { group: name, slugs: [slug], isOpen }) : null;
      if (warning !== null)
        throw Refusal.invalid(`Nothing was given yet. ${warning}. Tick the box if they may`);
      const dates = { from: from || undefined, until: until || undefined };
      await grantToGroup(stall, owner, { group: name, slugs: [slug], dates });
      return redirectSaying(groupPath(name), 'granted');
    },
    (refused) => showGroup(http, owner, name, { refused, typed }),
  );
}

type Asking = AskingOf<Http>;

const A_GROUP = {
  ...inOffice(GROUPS),
  back: ({ name }: { readonly name: string }) => groupPath(name),
  refused: ({ http, who, params }: Asking, refused: Refused) =>
    showGroup(http, who, params['name'] ?? '', { refused }),
} as const;

const findInGroup = ({ http, params, query }: Asking) => ({
  name: findGroup(http.stall, params['name'] ?? '').name,
  email: query['email'] ?? '',
  slug: query['slug'] ?? '',
});

export const GROUP_ACTS: readonly ActRoutes<Http>[] = [
  actRoutes({
    ...A_GROUP,
    path: '/admin/groups/:name/remove',
    find: ({ http, params: { name = '' } }) => ({ name, losers: listLosers(http.stall, name) }),
    title: ({ name }) => `Remove the group “${name}”?`,
    stops: ({ losers }) =>
      losers.length === 0
        ? 'Nobody loses anything by it.'
        : `From the next request on, these lose what it gives: ${losers.join(', ')}.`,
    button: 'Remove group',
    act: ({ name }, { http, who }) => removeGroup(http.stall, who, name),
    back: () => GROUPS,
    said: 'group-removed',
  }),
  actRoutes({
    ...A_GROUP,
    path: '/admin/groups/:name/leave',
    find: findInGroup,
    title: ({ name, email }) => `Take ${email} out of “${name}”?`,
    stops: ({ name, email }) =>
      `From the next request on, ${email} no longer has what “${name}” gives. Downloaded copies stay with them.`,
    button: 'Take out',
    act: ({ name, email }, { http, who }) => leaveGroup(http.stall, who, name, [email]),
    said: 'group-left',
  }),
  actRoutes({
    ...A_GROUP,
    path: '/admin/groups/:name/revoke',
    find: findInGroup,
    title: ({ name, slug }) => `Take “${slug}” back from “${name}”?`,
    stops: ({ name, slug }) =>
      `From the next request on, members of “${name}” no longer have “${slug}” by it. Other grants of the item still count.`,
    button: 'Take back',
    act: ({ name, slug }, { http, who }) => revokeFromGroup(http.stall, who, name, slug),
    said: 'group-revoked',
  }),
];
