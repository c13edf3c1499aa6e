import { OfficeRefusal } from '../platform/base/told.ts';
import { officeIn } from '../words/office.ts';
import { officeOf } from '../platform/site/words.tsx';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import { grantToGroup, listChoices, revokeFromGroup, warnOfEveryone } from './grant.ts';
import {
  LONGEST_GROUP_NAME,
  addGroup,
  describeGroup,
  findGroup,
  joinGroup,
  leaveGroup,
  listLosers,
  removeGroup,
} from './group.ts';
import { EVERYONE } from './group.sql.ts';
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
import { ItemAndDates } from './grant.part.tsx';
import { inOffice, sendAdminPage } from '../office/office.part.tsx';
import { type ActRoutes, actRoutes, type Asking as AskingOf } from '../platform/site/act.tsx';
import { GROUPS } from '../platform/site/linked-pages.ts';

const groupPath = (name: string): string => `${GROUPS}/${name}`;

export function showGroups(
  http: Http,
  owner: SessionPrincipal,
  { said, refused, typed = '' }: FormEnd<string>,
): Response {
  const w = officeOf(http, owner);
  return sendAdminPage(
    http,
    owner,
    {
      current: GROUPS,
      title: w.groups.title,
      lead: w.groups.lead,
      said,
      refused,
    },
    <>
      <Form action={GROUPS} label={w.groups.addTitle}>
        <div class="search">
          <Field
            label={w.groups.name}
            name="name"
            value={typed}
            hint={w.groups.nameHint}
            error={refused?.refusal}
            autocomplete="off"
            maxLength={LONGEST_GROUP_NAME}
            required
          />
          <Button>{w.groups.addButton}</Button>
        </div>
      </Form>
      <DataTable
        caption={w.groups.title}
        columns={{
          [w.groups.name]: ({ name }) => <a href={groupPath(name)}>{name}</a>,
          [w.groups.members]: ({ members }) => members,
          [w.common.items]: ({ items }) => items,
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
  const w = officeOf(http, owner);
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
        ? w.groups.everyoneLead({ count })
        : `${w.counts.members({ count: count })}, ${w.counts.items({ count: items.length })}`,
      said,
      refused,
      actions: <QuietLink href={GROUPS}>{w.groups.allLink}</QuietLink>,
    },
    <>
      <section>
        <h2>{w.common.items}</h2>
        <Act name={w.groups.giveTitle} isOpen={refused !== undefined && typed.slug !== ''}>
          <Form action={`${path}/grant`} label={w.groups.giveTitle}>
            <ItemAndDates items={choices} typed={typed} />
            {isEveryone && <Checkbox label={w.groups.givePrivate} name="sure" checked={false} />}
            <Button>{w.groups.giveButton}</Button>
          </Form>
        </Act>
        <DataTable
          caption={w.groups.itemsCaption({ name })}
          columns={{
            [w.common.item]: ({ kind, slug }) => <a href={`/${kind}s/${slug}`}>{slug}</a>,
            [w.groups.given]: ({ grantedAt }) => <When at={grantedAt} />,
            [w.groups.from]: ({ from }) => <When at={from} />,
            [w.common.until]: ({ until }) => <When at={until} never={w.common.noEnd} />,
            '': ({ slug }) => (
              <QuietLink href={`${path}/revoke?${new URLSearchParams({ slug })}`}>
                {w.groups.takeBackLink}
              </QuietLink>
            ),
          }}
          rows={items}
          empty={<Empty>{w.groups.noItems}</Empty>}
        />
      </section>
      {!isEveryone && (
        <>
          <section>
            <h2>{w.groups.members}</h2>
            <Form action={`${path}/join`} label={w.groups.addMembersButton}>
              <TextArea
                label={w.groups.addMembersEmails}
                name="emails"
                value={typed.emails}
                rows={3}
                hint={w.groups.addMembersHint}
              />
              <Button kind="quiet">{w.groups.addMembersButton}</Button>
            </Form>
            <DataTable
              caption={w.groups.membersCaption({ name })}
              columns={{
                [w.groups.email]: ({ email, waits }) => (
                  <>
                    {email} {waits === 1 && <span class="badge">{w.grants.states.waits}</span>}
                  </>
                ),
                [w.groups.joined]: ({ joinedAt }) => <When at={joinedAt} />,
                '': ({ email }) => (
                  <QuietLink href={`${path}/leave?${new URLSearchParams({ email })}`}>
                    {w.groups.takeOutLink}
                  </QuietLink>
                ),
              }}
              rows={members}
              empty={<Empty>{w.groups.noMembers}</Empty>}
            />
          </section>
          <More
            acts={[
              [<DangerLink href={`${path}/remove`}>{w.groups.removeLink}</DangerLink>, w.groups.removeHint],
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

/** Grants an item to a group. To grant a private item to `everyone`, a checkbox must be ticked. */
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
      if (warning !== null) throw new OfficeRefusal('invalid-request', (r) => r.giveUnticked({ warning }));
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
    title: ({ name }, words) => officeIn(words).groups.removeTitle({ name }),
    stops: ({ losers }, words) =>
      losers.length === 0
        ? officeIn(words).groups.removeLeadIfNobody
        : officeIn(words).groups.removeLead({ losers: losers.join(', ') }),
    button: (words) => officeIn(words).groups.removeButton,
    act: ({ name }, { http, who }) => removeGroup(http.stall, who, name),
    back: () => GROUPS,
    said: 'group-removed',
  }),
  actRoutes({
    ...A_GROUP,
    path: '/admin/groups/:name/leave',
    find: findInGroup,
    title: ({ name, email }, words) => officeIn(words).groups.takeOutTitle({ email, name }),
    stops: ({ name, email }, words) => officeIn(words).groups.takeOutLead({ email, name }),
    button: (words) => officeIn(words).groups.takeOutButton,
    act: ({ name, email }, { http, who }) => leaveGroup(http.stall, who, name, [email]),
    said: 'group-left',
  }),
  actRoutes({
    ...A_GROUP,
    path: '/admin/groups/:name/revoke',
    find: findInGroup,
    title: ({ name, slug }, words) => officeIn(words).groups.takeBackTitle({ slug, name }),
    stops: ({ name, slug }, words) => officeIn(words).groups.takeBackLead({ name, slug }),
    button: (words) => officeIn(words).groups.takeBackButton,
    act: ({ name, slug }, { http, who }) => revokeFromGroup(http.stall, who, name, slug),
    said: 'group-revoked',
  }),
];
