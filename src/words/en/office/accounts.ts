/** A part of a sentence that is no text, such as a date. */
type Part = unknown;
/** Makes a link, or marks a word. */
type Link = (text: string) => unknown;

export const accounts = {
  title: 'Accounts',
  addTitle: 'Add an account',
  addEmail: 'E-mail of a new account',
  addButton: 'Add account',
  addAndLinkButton: 'Add account and create invite link',
  search: 'Search',
  searchLabel: 'Search by e-mail or subscriber id',
  caption: 'Accounts with their active keys and grants, newest first',
  email: 'E-mail',
  created: 'Created',
  keys: 'Keys',
  grants: 'Grants',
  lastSeen: 'Last seen',
  noAccounts: 'No accounts here. Add one above.',
  noMatch: 'No accounts match.',
  disabled: 'Disabled',
  owner: 'Owner',
  active: 'Active',
  noPasswordYet: 'No password yet',
  subscriberId: 'Subscriber id',
  proven: 'Address proven',
  notProven: 'not yet',
  openSessions: 'Open sessions',
  questions: 'Questions',
  assistants: 'Assistants',
  disconnectLink: 'Disconnect…',
  keysCaption: 'API keys of this account; only their first characters can be shown',
  noKeys: 'No keys yet. Readers create keys on their own page “Keys”.',
  publishKeys: 'Publish keys',
  publishKeysCaption:
    'Keys that push items to this stall and read none; “bookstall key create --publish” makes one',
  keyEnds: { revoked: 'revoked', expired: 'expired' },
  for: 'For',
  everyItem: 'every item',
  withTerms: ', with prices and status',
  signIn: 'Sign-in',
  createLink: { invite: 'Create invite link', reset: 'Create reset link' },
  mailLink: { invite: 'Mail an invite link', reset: 'Mail a reset link' },
  enableButton: 'Enable account',
  newEmailTitle: 'Change the address',
  newEmail: 'New e-mail',
  newEmailButton: 'Create link to the new address',
  disableLink: 'Disable account…',
  disableHint: 'Its keys, grants and sessions stop working until you enable it again. Nothing is deleted.',
  leads: {
    invite: 'The link opens a page where they choose a password. It works once.',
    reset:
      'The link opens a page where they choose a new password. It works once, and then ends their sessions.',
    email:
      'Send it to the new address alone. They open it and type their password. Their account has that address then, and their other sessions end.',
  },
  linkLead: ({ email }: { email: string | number }) =>
    `Send it to ${email} yourself, or have the stall mail one from the account’s page. It is shown only once.`,
  linkLeadWithoutMail: ({ email }: { email: string | number }) =>
    `Send it to ${email} yourself: the stall sends no mail, and shows the link only once.`,
  backLink: 'Back to the account',
  purposes: {
    setup: 'set-up link',
    invite: 'invite link',
    reset: 'reset link',
    claim: 'link to claim an order',
    open: 'link to make an account',
    unsubscribe: 'link to end news',
    email: 'link to a new address',
    news: 'link to confirm news',
    'sign-in': 'link to sign in',
  },
  links: 'Links',
  linksLead: 'One-time links that can still be used. Revoke a link that was sent to the wrong address.',
  linksCaption: 'Open links, newest first; their secrets are not stored',
  firstOwner: 'the first owner',
  kind: 'Kind',
  expires: 'Expires',
  noLinks: 'No open links. An account’s page creates invite and reset links.',
  disableTitle: ({ email }: { email: string }) => `Disable ${email}?`,
  disableLead: ({ keys, grants }: { keys: number; grants: number }) =>
    `From the next request on, its keys (${keys}) are refused and its grants (${grants}) give no access. Open answers end within a second, and all its sessions end. Nothing is deleted: enabling the account restores its keys and grants.`,
  disableButton: 'Disable account',
  disconnectTitle: ({ email }: { email: string }) => `Disconnect the assistants of ${email}?`,
  disconnectLead:
    'From the next request on, the assistants that they connected are refused. They can connect them again.',
  disconnectButton: 'Disconnect',
  revokeGrantTitle: ({ slug }: { slug: string }) => `Revoke “${slug}”?`,
  revokeGrantLead: ({ email, slug, source }: { email: string; slug: string; source: string }) =>
    `From the next request on, ${email} can no longer install, read or ask “${slug}” through the grant with the source “${source}”. Downloaded copies stay with them, and other grants of the item still count. Granting the item again restores access.`,
  revokeGrantButton: 'Revoke grant',
  revokeLinkTitle: ({ purpose, email }: { purpose: string; email: string }) =>
    `Revoke the ${purpose} for ${email}?`,
  revokeLinkLead:
    'Whoever opens the link from now on is told that it cannot be used. The account stays as it is, and you can create another link on its page.',
  revokeLinkButton: 'Revoke link',
};

export const devices = {
  nameByPrefix: ({ prefix }: { prefix: string }) => `the e-reader ${prefix}…`,
  endTitle: ({ device }: { device: string }) => `End the key of ${device}?`,
  endLead: ({ email }: { email: string }) =>
    `From the next request on, this e-reader no longer keeps the place in the books of ${email}. They can make another key.`,
  endButton: 'End key',
};

export const groups = {
  title: 'Groups',
  lead: 'What a group is given, each of its members has, until they leave it.',
  addTitle: 'Add a group',
  name: 'Name',
  nameHint: 'Small letters, digits and “-”, such as reviewers',
  addButton: 'Add group',
  members: 'Members',
  everyoneLead: ({ count }: { count: number }) =>
    `Every enabled account is in it, later ones too: ${count} now. Who made an account for themselves counts once the address is confirmed.`,
  allLink: 'All groups',
  giveTitle: 'Give an item',
  givePrivate: 'Give private items too, which anyone who can make an account here will then have',
  giveButton: 'Give item',
  itemsCaption: ({ name }: { name: string }) => `Items of ${name}`,
  given: 'Given',
  from: 'From',
  takeBackLink: 'Take back…',
  noItems: 'No items yet. What you give here, every member has.',
  addMembersButton: 'Add members',
  addMembersEmails: 'E-mail addresses of accounts',
  addMembersHint: 'One a line, or with blanks between',
  membersCaption: ({ name }: { name: string }) => `Members of ${name}`,
  email: 'E-mail',
  joined: 'Joined',
  takeOutLink: 'Take out…',
  noMembers: 'No members yet.',
  removeLink: 'Remove this group…',
  removeHint: 'Its members lose what it gives; it says who.',
  removeTitle: ({ name }: { name: string }) => `Remove the group “${name}”?`,
  removeLeadIfNobody: 'Nobody loses anything by it.',
  removeLead: ({ losers }: { losers: string }) =>
    `From the next request on, these lose what it gives: ${losers}.`,
  removeButton: 'Remove group',
  takeOutTitle: ({ email, name }: { email: string; name: string }) => `Take ${email} out of “${name}”?`,
  takeOutLead: ({ email, name }: { email: string; name: string }) =>
    `From the next request on, ${email} no longer has what “${name}” gives. Downloaded copies stay with them.`,
  takeOutButton: 'Take out',
  takeBackTitle: ({ slug, name }: { slug: string; name: string }) => `Take “${slug}” back from “${name}”?`,
  takeBackLead: ({ name, slug }: { name: string; slug: string }) =>
    `From the next request on, members of “${name}” no longer have “${slug}” by it. Other grants of the item still count.`,
  takeBackButton: 'Take back',
};

export const grants = {
  caption: 'Grants of this account',
  source: 'Source',
  granted: 'Granted',
  from: 'From',
  groupLink: 'By its group',
  revokeLink: 'Revoke…',
  noGrants: 'No grants yet. “Grant an item” adds one to this account’s library.',
  states: {
    active: 'active',
    inactive: 'inactive (account disabled)',
    waits: 'waits for the address to be proven',
    notStarted: 'not started',
    expired: 'expired',
    revoked: 'revoked',
  },
  slugHint: 'Its slug: the last part of its page’s address',
  fromHint: 'Leave empty to start now',
  untilHint: 'Ends when this day starts, in UTC. Leave empty for no end',
  grantTitle: 'Grant an item',
  sourceHint:
    'Where it came from, such as an order number. Granting an item again with the same source changes its dates',
  grantButton: 'Grant item',
};

export const keys = {
  ereaders: 'E-readers',
  ereadersCaption: 'Keys by which e-readers keep the place in this account’s books',
  endLink: 'End…',
};

export const proof = {
  passwordHint: 'You signed in over 15 minutes ago',
  proxyHint: 'You signed in over 15 minutes ago: sign out at your proxy, and in again.',
  secondStepHint: 'Of your second step',
  password: 'Your password',
};

export const secondStep = {
  title: 'Second step',
  lead: 'After your password you type a code from an app on your phone: a stolen password alone opens nothing. Each change signs out your other browsers. Keys and agents go on as before.',
  firstCodeHint: 'Six digits from the app',
  codeHint: 'From the app, or a recovery code',
  state: ({ when, left }: { when: Part; left: number }) => [
    'On since ',
    when,
    '. Recovery codes left: ',
    left,
    '.',
  ],
  password: 'Password',
  onButton: 'Turn it on',
  renewButton: 'Make new recovery codes',
  offButton: 'Turn it off',
  qrLead: ({ link }: { link: Link }) => [
    'Read this picture with the app, or ',
    link('open it on this device'),
    '.',
  ],
  qrCode: 'QR code',
  secretLabel: 'Or type this secret into it',
  codesLead:
    'Each signs you in once, after the password, without your phone. They are shown only now: keep them where you keep passwords, or print them.',
  codesTitle: 'Your recovery codes',
  codesButton: 'I have kept them',
};
