import type { orders } from './selling.ts';

/** The values that a sentence names. */
type Given<Name extends string> = Readonly<Record<Name, string | number>>;

/** Why a form of the office is refused. Programs and commands get the English sentences. */
export const refusals = {
  noAccountOf: ({ email }: Given<'email'>) =>
    `Cannot find an account "${email}": "bookstall account list" shows them all`,
  ownerIsThere: ({ email, owner }: Given<'email' | 'owner'>) =>
    `Cannot make "${email}" the owner: "${owner}" is, and a stall has one`,
  accountIsThere: ({ email }: Given<'email'>) => `Cannot add "${email}": it has an account already`,
  noAccount: 'Cannot find this account: look for it in the list of accounts',
  editorIsOwner: 'Cannot make yourself an editor: the owner may do all that one may',
  editorDisabled: ({ email }: Given<'email'>) =>
    `Cannot make "${email}" an editor: the account is disabled; enable it first`,
  noEditor: 'Cannot find this editor: reload the page',
  neverPublished: ({ slug }: Given<'slug'>) =>
    `Cannot find an item "${slug}": this stall never published it; check the slug, and start or reindex the stall after adding it`,
  grantNotHeld: 'Cannot revoke this grant: it is revoked already, or never was there',
  grantSource: ({ slug, source }: Given<'slug' | 'source'>) =>
    `Cannot grant "${slug}" with the source "${source}": those of sales, codes and groups follow from these; choose another source`,
  grantSpan: ({ slug, from, until }: Given<'slug' | 'from' | 'until'>) =>
    `Cannot grant "${slug}" from ${from} until ${until}: it must end after it begins`,
  noGroup: ({ name, remedy }: Given<'name' | 'remedy'>) => `Cannot find a group "${name}": ${remedy}`,
  groupName: ({ value, longest }: Given<'value' | 'longest'>) =>
    `Cannot name a group "${value}": use 1 to ${longest} of a-z, 0-9 and "-", as in "reviewers"`,
  groupIsThere: ({ name }: Given<'name'>) => `Cannot add the group "${name}": there is one of this name`,
  linkTaken: ({ email, address }: Given<'email' | 'address'>) =>
    `Cannot make a link for "${email}": "${address}" has an account already`,
  linkDisabled: ({ email }: Given<'email'>) =>
    `Cannot make a link for "${email}": the account is disabled; enable it first`,
  linkHasPassword: ({ email }: Given<'email'>) =>
    `Cannot make a link for "${email}": a password is set already; make a reset link (--reset) instead`,
  linkNoPassword: ({ email }: Given<'email'>) =>
    `Cannot make a link for "${email}": no password is set yet, which the link asks for; pass an invite link on first`,
  linkNotOpen: 'Cannot revoke that link: it is used up or revoked already',
  needsCode: 'Cannot do it without a code of your app: the last one was over 15 minutes ago',
  needsProxySignIn:
    'Cannot change a secret: the last one was over 15 minutes ago; sign out at your proxy, and in again',
  needsPasswordAgain: 'Type your password, since you signed in over 15 minutes ago',
  mailPasswordOfUser: 'Type the password: it is needed with a user',
  mailPasswordElsewhere: 'Type the password: it would go to another server, user or encryption',
  mailFailed: ({ host, fault, said }: Given<'host' | 'fault' | 'said'>) =>
    `Cannot send mail by ${host}: ${fault}. It came back as “${said}”`,
  fileTooLarge: ({ size }: Given<'size'>) => `Cannot take a file of more than ${size}: choose a smaller one`,
  notAPrice: ({ said, code, example }: Given<'said' | 'code' | 'example'>) =>
    `Cannot read "${said}" as a price in ${code}: write it as ${example}`,
  priceTooLong: ({ said }: Given<'said'>) =>
    `Cannot take "${said}" as a price: it may have nine digits, cents included`,
  giveUnticked: ({ warning }: Given<'warning'>) =>
    `Nothing was given yet. ${warning}. Tick the box if they may`,
  noPassword: 'Type your password',
  noItem: ({ slug }: Given<'slug'>) =>
    `Cannot find "${slug}": no item of this name was published; "bookstall check" lists the items`,
  noEdition: ({ wanted, slug }: Given<'wanted' | 'slug'>) =>
    `Cannot find the edition "${wanted}" of "${slug}"; "bookstall editions ${slug}" lists them`,
  editionServed: ({ named, slug }: Given<'named' | 'slug'>) =>
    `Cannot withdraw ${named} of "${slug}": it is served; roll back to another edition first`,
  accountOfOwner: ({ email }: Given<'email'>) =>
    `Cannot disable "${email}" here: it is the owner's account; use "bookstall account disable"`,
  noGrant: 'Cannot find this grant: open the account and choose one from its list',
  noKey: 'Cannot find this key: open the account and choose one from its list',
  noLink: 'Cannot find this link: it is used up, expired or revoked; open the list of links',
  engineFixed: ({ setBy }: Given<'setBy'>) => `Cannot change who answers here: ${setBy} sets it`,
  modelKeyElsewhere: 'Type the key: it would go to another address, engine or protocol',
  noEngine: 'Choose who answers',
  settingFixed: ({ source }: Given<'source'>) => `Cannot change it here: ${source} sets it`,
  noBackup: 'This backup is not there any more: choose another',
  bundlesFixed: 'Cannot change bundles here: stall.yaml sets them',
  noBundle: 'Cannot find this bundle: reload the page',
  bundlePrice: ({ example }: Given<'example'>) => `Cannot read this as a price: write it as ${example}`,
  bundleSlugTaken: ({ slug }: Given<'slug'>) =>
    `Cannot use "${slug}": another bundle or an item has this slug`,
  noMailHost: 'Cannot send mail without a server: give its name',
  mailPort: ({ port }: Given<'port'>) =>
    `Cannot reach a mail server at port "${port}": it is 465 or 587 nearly always`,
  noMailUser: 'Cannot sign in with a password alone: give the user too',
  noMailServer: 'Cannot send mail: set the mail server first',
  noProvider: 'Cannot find this provider: reload the page',
  noProviderKey: 'Type the key',
  settingChanged: ({ now }: Given<'now'>) =>
    `It was changed since you opened this page, and is now “${now}”. Save again to replace that`,
  noSetting: 'Cannot find this setting: reload the page',
  shopSettingFixed: ({ label }: Given<'label'>) => `Cannot change ${label} here: stall.yaml sets it`,
  noLogo: 'Choose an image',
  notALogo: 'Cannot use this file as a logo: choose an SVG, PNG, JPEG or WebP image',
  noFile: 'Choose a file, or one to take away',
  notACurrency: ({ currency }: Given<'currency'>) =>
    `Cannot use "${currency}" as a currency: write its code, such as eur`,
  webhookFixed: ({ source }: Given<'source'>) =>
    `Cannot connect here: ${source} sets the secret of the webhook`,
  sellNoPrice: ({ slug }: Given<'slug'>) => `Cannot sell "${slug}" without a price: give it one, and save`,
  sellErrors: ({ slug }: Given<'slug'>) => `Cannot sell "${slug}" while its item.yaml has errors`,
  testSaleUnsigned: ({ name }: Given<'name'>) => `Cannot play a sale of ${name}: it signs no webhooks`,
  testSaleNoKey: ({ name }: Given<'name'>) => `Cannot play a sale of ${name}: connect a live key first`,
  testSaleNoItem: ({ name }: Given<'name'>) =>
    `Cannot play a sale of ${name}: no item is sold there yet; make one in the item’s form`,
  itemNotKept: ({ slug }: Given<'slug'>) =>
    `Cannot edit ${slug} here: no such item was added here or pushed; items of the content directory are edited in their files`,
  notASlug: ({ slug, slugInWords }: Given<'slug' | 'slugInWords'>) =>
    `Cannot use ${slug} as a slug: write ${slugInWords}`,
  itemIsThere: ({ taken }: Given<'taken'>) =>
    `Cannot add ${taken}: it is here already; open it under "Items" to replace its files, or give another slug`,
  itemChanged:
    'Cannot save: this item was changed in the meantime. Look at it, or save again to replace that',
  noImportFile: 'Cannot import: choose a file',
  notACover: ({ name }: Given<'name'>) => `Cannot use ${name} as a cover: send a JPEG, PNG or WebP image`,
  notAnAttachment: ({ name }: Given<'name'>) => `Cannot attach ${name}: choose a PDF, an EPUB or a recording`,
  attachmentIsThere: ({ name }: Given<'name'>) =>
    `Cannot attach ${name}: the item has another file of this name; rename yours`,
  codesUntil: ({ until }: Given<'until'>) => `Cannot make codes until ${until}: that day is over`,
  noCodeOf: ({ id }: Given<'id'>) => `Cannot find code ${id}: "bookstall code list" shows them all`,
  codeRevoked: ({ id }: Given<'id'>) => `Cannot revoke code ${id}: it was revoked before`,
  tooManyCodes: ({ mostCodes }: Given<'mostCodes'>) =>
    `Cannot make so many codes: give a number from 1 to ${mostCodes}`,
  tooManyUses: ({ mostUses }: Given<'mostUses'>) =>
    `Cannot give a code so many uses: give a number from 1 to ${mostUses}`,
  codeNote: ({ longestCodeNote }: Given<'longestCodeNote'>) =>
    `Cannot use this note: write one line of at most ${longestCodeNote} characters`,
  notADay: ({ value }: Given<'value'>) => `Cannot read the last day "${value}": write it as 2027-01-31`,
  notANumber: ({ value, name }: Given<'value' | 'name'>) =>
    `Cannot read "${value}" as the number of ${name}: give a whole number from 1`,
  noCode: 'Cannot find this code: open the list of codes',
  noMail: ({ id }: Given<'id'>) => `Cannot find mail ${id}: "bookstall mail list" shows them all`,
  mailWaits: ({ id }: Given<'id'>) => `Cannot send mail ${id} again: it waits to be sent already`,
  sendsNoMail:
    'Cannot mail a link: this stall sends no mail; create the link and send it yourself, or set BOOKSTALL_SMTP_URL',
  mailDisabled: ({ email }: Given<'email'>) =>
    `Cannot mail "${email}": the account is disabled; enable it first`,
  orderNoItem: ({ id }: Given<'id'>) => `Cannot grant order ${id}: say which item was bought`,
  orderUnproven: ({ id, email }: Given<'id' | 'email'>) =>
    `Cannot give order ${id} to "${email}": nobody has proven that address yet, so somebody else may have typed it; have a link mailed to it first`,
  noOrderOf: ({ name }: Given<'name'>) =>
    `Cannot find order "${name}": give its reference, or its ID, the first column of "bookstall orders list"`,
  orderReference: 'Cannot use this reference: give 1 to 100 characters of one line',
  claimUnpaid: ({ ref, state }: Given<'ref'> & { state: keyof typeof orders.states }) =>
    `Cannot make a claim link for order ${ref}: it is ${state}, and only paid orders can be claimed`,
  claimErased: ({ ref }: Given<'ref'>) =>
    `Cannot make a claim link for order ${ref}: its buyer was erased; give it to an account instead`,
  claimGiven: ({ ref }: Given<'ref'>) =>
    `Cannot make a claim link for order ${ref}: it became a present, which its code opens`,
  claimHeld: ({ ref, account }: Given<'ref' | 'account'>) =>
    `Cannot make a claim link for order ${ref}: ${account} holds it already`,
  tellNoMail: ({ slug }: Given<'slug'>) =>
    `Cannot tell the readers of "${slug}": this stall sends no mail; set BOOKSTALL_SMTP_URL and BOOKSTALL_MAIL_FROM, and start "bookstall serve" with them`,
  tellNoNotes: ({ slug }: Given<'slug'>) =>
    `Cannot tell the readers of "${slug}": this edition has no notes, or was withdrawn; write what is new into "changes" of item.yaml, or below its "version" in CHANGELOG.md, and reload the content, or give a subject and a text of your own`,
  tellWords: ({ slug, longestTitle, longestText }: Given<'slug' | 'longestTitle' | 'longestText'>) =>
    `Cannot tell the readers of "${slug}": write a subject of at most ${longestTitle} characters, and a text of at most ${longestText}`,
  answerTooLong: ({ longestNote }: Given<'longestNote'>) =>
    `Cannot send this answer: write at most ${longestNote} characters`,
  noReport: 'Cannot find this report: reload the list',
  noOrder: 'Cannot find this order: open it from the list of orders',
};
