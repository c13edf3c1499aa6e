import { addGroup, describeGroup, joinGroup, leaveGroup, listLosers, removeGroup } from './group.ts';
import { counted } from '../platform/base/text.ts';
import type { Group } from './group.sql.ts';
import { iso } from '../platform/cli/command.ts';
import { type AdminCommand, adminCommand } from '../platform/cli/admin-command.ts';
import type { Store } from './stall.ts';
import { confirm } from '../platform/cli/confirm.ts';

export const groupCommands: readonly AdminCommand<Store>[] = [
  adminCommand({
    name: 'group add',
    synopsis: 'NAME',
    summary: 'Make a group, to grant items to all its members',
    examples: ['bookstall group add reviewers'],
    async run(office, { word }, terminal) {
      const { name } = await addGroup(office, 'command', word);
      const next = `bookstall group join ${name} EMAIL, and bookstall grant add @${name} SLUG`;
      terminal.result({ name }, `Added the group ${name}. Next: ${next}`);
    },
  }),
  adminCommand({
    name: 'group remove',
    synopsis: 'NAME',
    summary: 'Remove a group, and what its members hold by it',
    flags: { '--yes': 'do not ask' },
    async run(office, { word, has }, terminal) {
      const losers = listLosers(office, word);
      const said =
        losers.length === 0 ? 'Nobody loses anything' : `These lose what it gives: ${losers.join(', ')}`;
      terminal.err(`${said}.\n`);
      if (losers.length > 0 && !has('yes'))
        await confirm(terminal, `Remove the group ${word}?`, 'the group is as it was');
      const { name } = await removeGroup(office, 'command', word);
      terminal.result({ name, losers }, `Removed the group ${name}, from the next request on`);
    },
  }),
  adminCommand({
    name: 'group list',
    synopsis: '[NAME]',
    summary: 'List the groups, or the members and items of one',
    examples: ['bookstall group list', 'bookstall group list reviewers'],
    run(office, { word }, terminal) {
      if (word === '') return terminal.list(office.store.listGroups().map(showGroup), '');
      const { members, items, ...group } = describeGroup(office, word);
      const shown = {
        members: members.map(({ email, joinedAt }) => ({ email, joined: iso(joinedAt) })),
        items: items.map(({ kind, slug, from, until }) => ({
          kind,
          slug,
          from: iso(from),
          until: iso(until),
        })),
      };
      const lines = [
        `${group.name}: ${counted(group.count, 'member')}, ${counted(items.length, 'item')}`,
        ...members.map(({ email }) => `  ${email}`),
        ...items.map(({ slug, until }) => `  ${slug}${until === null ? '' : ` until ${iso(until)}`}`),
      ];
      terminal.result({ name: group.name, ...shown }, lines.join('\n'));
    },
  }),
  membersCommand('join', 'Let accounts into a group', joinGroup),
  membersCommand('leave', 'Take accounts out of a group', leaveGroup),
];

function membersCommand(
  verb: 'join' | 'leave',
  summary: string,
  change: typeof joinGroup,
): AdminCommand<Store> {
  return adminCommand({
    name: `group ${verb}`,
    synopsis: 'NAME EMAIL…',
    summary,
    examples: [`bookstall group ${verb} reviewers ada@example.org`],
    async run(office, { words: [name = '', ...emails] }, terminal) {
      const changed = await change(office, 'command', name, emails);
      const what = verb === 'join' ? 'in' : 'out of';
      terminal.result(
        { name, changed },
        changed.length === 0
          ? `Nothing to change: all are ${what} the group ${name} already`
          : `Now ${what} the group ${name}: ${changed.join(', ')}, from the next request on`,
      );
    },
  });
}

const showGroup = ({ name, members, items, createdAt }: Group) => ({
  name,
  members,
  items,
  created: iso(createdAt || null),
});
