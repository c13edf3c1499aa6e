import { Refusal } from '../platform/base/refusal.ts';
import { OfficeRefusal } from '../platform/base/told.ts';
import type { Actor } from '../platform/base/principal.ts';
import { didYouMean } from '../platform/base/problem.ts';
import { EVERYONE, type Group } from './group.sql.ts';
import { findAccount } from './account.ts';
import { auditEntry, describeActs } from '../platform/store/audit-entry.ts';
import type { Records } from './stall.ts';

/**
 * Returns the group's name in a text such as `@reviewers`; null for any other text. A grant through a group has such a text
 * as its source.
 */
export const groupIn = (text: string): string | null => (text.startsWith('@') ? text.slice(1) : null);

export const LONGEST_GROUP_NAME = 40;
const NAME = new RegExp(`^[a-z0-9-]{1,${LONGEST_GROUP_NAME}}$`);

export function findGroup({ store }: Records, name: string): Group {
  const group = store.findGroup(name);
  if (group !== null) return group;
  const names = store.listGroups().map((one) => one.name);
  throw new OfficeRefusal('not-found', (r) =>
    r.noGroup({
      name: name.slice(0, 80),
      remedy: didYouMean(name, names, `add it with "bookstall group add ${NAME.test(name) ? name : 'NAME'}"`),
    }),
  );
}

export async function addGroup({ store, now }: Records, by: Actor, name: string): Promise<Group> {
  if (!NAME.test(name))
    throw new OfficeRefusal('invalid-request', (r) =>
      r.groupName({ value: name.slice(0, 80), longest: LONGEST_GROUP_NAME }),
    );
  const at = now();
  const audit = auditEntry(by, at, 'group.add', `@${name}`);
  if (!(await store.write.addGroup({ name, at, audit })))
    throw new OfficeRefusal('invalid-request', (r) => r.groupIsThere({ name }));
  return { name, members: 0, items: 0, createdAt: at };
}

/**
 * Lists the addresses of the accounts that would lose an item if this group were removed. Refuses an unknown group, and
 * `everyone`, which cannot be removed.
 */
export function listLosers(stall: Records, name: string): readonly string[] {
  refuseEveryone(findGroup(stall, name).name, 'removed');
  return stall.store.listHoldersBy(name, stall.now());
}

/** Removes a group. Its members lose the items that they had only by this group. Refuses an unknown group, and `everyone`. */
export async function removeGroup(stall: Records, by: Actor, name: string): Promise<Group> {
  const group = findGroup(stall, name);
  refuseEveryone(name, 'removed');
  const details = { members: group.members, items: group.items };
  const audit = auditEntry(by, stall.now(), 'group.remove', `@${name}`, details);
  await stall.store.write.removeGroup({ name, audit });
  return group;
}

/**
 * Adds accounts to a group, and returns the addresses of those that were not in it before. Refuses `everyone`. If an
 * address has no account, refuses and adds nobody.
 */
export async function joinGroup(stall: Records, by: Actor, group: string, emails: readonly string[]) {
  return changeMembers(stall, group, emails, (accountId, email) => {
    const audit = describeActs(by, stall.now)('group.join', email, { group });
    return stall.store.write.joinGroup({ group, accountId, at: stall.now(), audit });
  });
}

export async function leaveGroup(stall: Records, by: Actor, group: string, emails: readonly string[]) {
  return changeMembers(stall, group, emails, (accountId, email) => {
    const audit = describeActs(by, stall.now)('group.leave', email, { group });
    return stall.store.write.leaveGroup({ group, accountId, audit });
  });
}

async function changeMembers(
  stall: Records,
  group: string,
  emails: readonly string[],
  change: (accountId: string, email: string) => Promise<boolean>,
): Promise<readonly string[]> {
  refuseEveryone(findGroup(stall, group).name, 'joined or left');
  const accounts = emails.map((email) => findAccount(stall, email));
  const changed = await Promise.all(
    accounts.map(async ({ id, email }) => ((await change(id, email)) ? email : [])),
  );
  return changed.flat();
}

/**
 * Describes a group. `count` is the number of its members; `members` lists them, but is empty for `everyone`. Refuses
 * not-found.
 */
export function describeGroup(stall: Records, name: string) {
  const group = findGroup(stall, name);
  return {
    name,
    count: group.members,
    members: stall.store.listMembers(name),
    items: stall.store.listGroupGrants(name),
  };
}

function refuseEveryone(name: string, act: string): string {
  if (name !== EVERYONE) return name;
  throw Refusal.invalid(`"${EVERYONE}" is every enabled account: it cannot be ${act}`);
}

export const readGroups = (stall: Records, text: string): readonly string[] =>
  text
    .split(/\s+/)
    .filter(Boolean)
    .map((name) => refuseEveryone(findGroup(stall, groupIn(name) ?? name).name, 'joined or left'));
