/** A part of a sentence that is no text, such as a date. */
type Part = unknown;
/** Makes a link, or marks a word. */
type Link = (text: string) => unknown;

export const accounts = {
  accounts: 'Accounts',
  addAnAccount: 'Add an account',
  emailOfANew: 'E-mail of a new account',
  addAccount: 'Add account',
  addAccountAndCreate: 'Add account and create invite link',
  search: 'Search',
  searchByEmailOr: 'Search by e-mail or subscriber id',
  accountsWithTheirActive: 'Accounts with their active keys and grants, newest first',
  email: 'E-mail',
  created: 'Created',
  keys: 'Keys',
  grants: 'Grants',
  lastSeen: 'Last seen',
  noAccountsHereAdd: 'No accounts here. Add one above.',
  noAccountsMatch: 'No accounts match.',
  disabled: 'Disabled',
  owner: 'Owner',
  active: 'Active',
  noPasswordYet: 'No password yet',
  subscriberId: 'Subscriber id',
  addressProven: 'Address proven',
  notYet: 'not yet',
  openSessions: 'Open sessions',
  questions: 'Questions',
  assistants: 'Assistants',
  disconnect: 'Disconnect…',
  apiKeysOfThis: 'API keys of this account; only their first characters can be shown',
  noKeysYetReaders: 'No keys yet. Readers create keys on their own page “Keys”.',
  publishKeys: 'Publish keys',
  keysThatPushItems:
    'Keys that push items to this stall and read none; “bookstall key create --publish” makes one',
  keyEnds: { revoked: 'revoked', expired: 'expired' },
  for: 'For',
  everyItem: 'every item',
  withPricesAndStatus: ', with prices and status',
  signin: 'Sign-in',
  createLink: { invite: 'Create invite link', reset: 'Create reset link' },
  mailLink: { invite: 'Mail an invite link', reset: 'Mail a reset link' },
  enableAccount: 'Enable account',
  changeTheAddress: 'Change the address',
  newEmail: 'New e-mail',
  createLinkToThe: 'Create link to the new address',
  disableAccount: 'Disable account…',
  itsKeysGrantsAnd:
    'Its keys, grants and sessions stop working until you enable it again. Nothing is deleted.',
  leads: {
    invite: 'The link opens a page where they choose a password. It works once.',
    reset:
      'The link opens a page where they choose a new password. It works once, and then ends their sessions.',
    email:
      'Send it to the new address alone. They open it and type their password. Their account has that address then, and their other sessions end.',
  },
  sendItToYourself: ({ email }: { email: string | number }) =>
    `Send it to ${email} yourself, or have the stall mail one from the account’s page. It is shown only once.`,
  sendItToYourselfThe: ({ email }: { email: string | number }) =>
    `Send it to ${email} yourself: the stall sends no mail, and shows the link only once.`,
  backToTheAccount: 'Back to the account',
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
  onetimeLinksThatCan:
    'One-time links that can still be used. Revoke a link that was sent to the wrong address.',
  openLinksNewestFirst: 'Open links, newest first; their secrets are not stored',
  theFirstOwner: 'the first owner',
  kind: 'Kind',
  expires: 'Expires',
  noOpenLinksAn: 'No open links. An account’s page creates invite and reset links.',
  disable: ({ email }: { email: string }) => `Disable ${email}?`,
  fromTheNextRequest: ({ keys, grants }: { keys: number; grants: number }) =>
    `From the next request on, its keys (${keys}) are refused and its grants (${grants}) give no access. Open answers end within a second, and all its sessions end. Nothing is deleted: enabling the account restores its keys and grants.`,
  disableAccount2: 'Disable account',
  disconnectTheAssistants: ({ email }: { email: string }) => `Disconnect the assistants of ${email}?`,
  fromTheNextRequestOn:
    'From the next request on, the assistants that they connected are refused. They can connect them again.',
  disconnect2: 'Disconnect',
  revoke: ({ slug }: { slug: string }) => `Revoke “${slug}”?`,
  fromTheNextRequestOnCan: ({ email, slug, source }: { email: string; slug: string; source: string }) =>
    `From the next request on, ${email} can no longer install, read or ask “${slug}” through the grant with the source “${source}”. Downloaded copies stay with them, and other grants of the item still count. Granting the item again restores access.`,
  revokeGrant: 'Revoke grant',
  revokeTheFor: ({ purpose, email }: { purpose: string; email: string }) =>
    `Revoke the ${purpose} for ${email}?`,
  whoeverOpensTheLink:
    'Whoever opens the link from now on is told that it cannot be used. The account stays as it is, and you can create another link on its page.',
  revokeLink: 'Revoke link',
};

export const devices = {
  theEreader: ({ prefix }: { prefix: string }) => `the e-reader ${prefix}…`,
  endTheKeyOf: ({ device }: { device: string }) => `End the key of ${device}?`,
  fromTheNextRequest: ({ email }: { email: string }) =>
    `From the next request on, this e-reader no longer keeps the place in the books of ${email}. They can make another key.`,
  endKey: 'End key',
};

export const groups = {
  groups: 'Groups',
  whatAGroupIs: 'What a group is given, each of its members has, until they leave it.',
  addAGroup: 'Add a group',
  name: 'Name',
  smallLettersDigitsAnd: 'Small letters, digits and “-”, such as reviewers',
  addGroup: 'Add group',
  members: 'Members',
  everyEnabledAccountIs: ({ count }: { count: number }) =>
    `Every enabled account is in it, later ones too: ${count} now. Who made an account for themselves counts once the address is confirmed.`,
  allGroups: 'All groups',
  giveAnItem: 'Give an item',
  givePrivateItemsToo: 'Give private items too, which anyone who can make an account here will then have',
  giveItem: 'Give item',
  itemsOf: ({ name }: { name: string }) => `Items of ${name}`,
  given: 'Given',
  from: 'From',
  takeBack: 'Take back…',
  noItemsYetWhat: 'No items yet. What you give here, every member has.',
  addMembers: 'Add members',
  emailAddressesOfAccounts: 'E-mail addresses of accounts',
  oneALineOr: 'One a line, or with blanks between',
  membersOf: ({ name }: { name: string }) => `Members of ${name}`,
  email: 'E-mail',
  joined: 'Joined',
  takeOut: 'Take out…',
  noMembersYet: 'No members yet.',
  removeThisGroup: 'Remove this group…',
  itsMembersLoseWhat: 'Its members lose what it gives; it says who.',
  removeTheGroup: ({ name }: { name: string }) => `Remove the group “${name}”?`,
  nobodyLosesAnythingBy: 'Nobody loses anything by it.',
  fromTheNextRequest: ({ losers }: { losers: string }) =>
    `From the next request on, these lose what it gives: ${losers}.`,
  removeGroup: 'Remove group',
  takeOutOf: ({ email, name }: { email: string; name: string }) => `Take ${email} out of “${name}”?`,
  fromTheNextRequestOn: ({ email, name }: { email: string; name: string }) =>
    `From the next request on, ${email} no longer has what “${name}” gives. Downloaded copies stay with them.`,
  takeOut2: 'Take out',
  takeBackFrom: ({ slug, name }: { slug: string; name: string }) => `Take “${slug}” back from “${name}”?`,
  fromTheNextRequestOnMembers: ({ name, slug }: { name: string; slug: string }) =>
    `From the next request on, members of “${name}” no longer have “${slug}” by it. Other grants of the item still count.`,
  takeBack2: 'Take back',
};

export const grants = {
  grantsOfThisAccount: 'Grants of this account',
  source: 'Source',
  granted: 'Granted',
  from: 'From',
  byItsGroup: 'By its group',
  takeAway: 'Revoke…',
  noGrantsYetGrant: 'No grants yet. “Grant an item” adds one to this account’s library.',
  states: {
    active: 'active',
    inactive: 'inactive (account disabled)',
    waits: 'waits for the address to be proven',
    notStarted: 'not started',
    expired: 'expired',
    revoked: 'revoked',
  },
  itsSlugTheLast: 'Its slug: the last part of its page’s address',
  leaveEmptyToStart: 'Leave empty to start now',
  endsWhenThisDay: 'Ends when this day starts, in UTC. Leave empty for no end',
  grantAnItem: 'Grant an item',
  whereItCameFrom:
    'Where it came from, such as an order number. Granting an item again with the same source changes its dates',
  grantItem: 'Grant item',
};

export const keys = {
  ereaders: 'E-readers',
  keysByWhichEreaders: 'Keys by which e-readers keep the place in this account’s books',
  end: 'End…',
};

export const proof = {
  signedInLongAgo: 'You signed in over 15 minutes ago',
  signOutAtYour: 'You signed in over 15 minutes ago: sign out at your proxy, and in again.',
  ofYourSecondStep: 'Of your second step',
  yourPassword: 'Your password',
};

export const secondStep = {
  secondStep: 'Second step',
  afterYourPasswordYou:
    'After your password you type a code from an app on your phone: a stolen password alone opens nothing. Each change signs out your other browsers. Keys and agents go on as before.',
  sixDigitsFromThe: 'Six digits from the app',
  fromTheAppOr: 'From the app, or a recovery code',
  onSinceRecoveryCodes: ({ when, left }: { when: Part; left: number }) => [
    'On since ',
    when,
    '. Recovery codes left: ',
    left,
    '.',
  ],
  password: 'Password',
  turnItOn: 'Turn it on',
  makeNewRecoveryCodes: 'Make new recovery codes',
  turnItOff: 'Turn it off',
  readThisPictureWith: ({ link }: { link: Link }) => [
    'Read this picture with the app, or ',
    link('open it on this device'),
    '.',
  ],
  qrCode: 'QR code',
  orTypeThisSecret: 'Or type this secret into it',
  eachSignsYouIn:
    'Each signs you in once, after the password, without your phone. They are shown only now: keep them where you keep passwords, or print them.',
  yourRecoveryCodes: 'Your recovery codes',
  iHaveKeptThem: 'I have kept them',
};
